"""The learned segmenter, in four stages from a page to its segments and their kinds.

1. **Candidates** (`candidates`, with the words of their names from `names`): the elements of the page with visible
   text; elements with the same text are one candidate.
2. **Features** (`features`; `visual` on a rendered page): the text of a candidate, the elements inside and around it,
   its names, and on a rendered page its position and style.
3. **Scores** (`model`): boosted trees give each candidate the chance that people would call it a segment.
4. **Decoding** (`decoding`): candidates are selected by falling score, without near duplicates of those selected
   before. Further trees classify each segment.

`segmenter` is the public class. `webstrata.training` makes the model.
"""
