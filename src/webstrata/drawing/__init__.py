"""Charts as plain SVG: text and colours (`svg`), axes (`axes`), and the charts that are made of them (`charts`)."""
