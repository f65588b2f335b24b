// The longest paragraphs of a page as its content: JSON lines in, JSON lines out, for as many pages as there are.
let answered = 0;
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { html } = JSON.parse(line);
  const paragraphs = html.split(/<\/?(?:p|div|h1|h2|dd|li|td|pre)\b[^>]*>/i);
  const texts = paragraphs.map((part) => part.replace(/<[^>]*>/g, "").replace(/\s+/g, " ").trim());
  const content = texts.filter((text) => text.length > 12);
  answered += 1;
  console.log(JSON.stringify({ text: `${answered} ${content.join("\n")}` }));
});
