"""The learned segmenter, in four steps from a page to its segments and what each of them is.

1. **Candidates** (`candidates`, with the words of their names from `names`): the elements of the page that show text;
   those with one and the same text are one candidate.
2. **Features** (`features`; `visual` on a rendered page): what a candidate's text is, what is inside and around it, how
   it is called, and, where a browser has laid out the page, where it is and how it looks.
3. **Scores** (`model`): boosted trees give each candidate the chance that people would call it a segment.
4. **Decoding** (`decoding`): by falling score, what is not nearly the same as a candidate that was taken before.
   Further trees tell what each segment is.

`segmenter` is the way in. `webstrata.training` makes the model.
"""
