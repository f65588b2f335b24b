"""The learned extractor, in five steps from a page to what each of its paragraphs is taken for.

1. **Outline** (`build_outline`, `outline`): the paragraphs of the page (`paragraph`) with their counts and words, the
   elements above them with the words of their names (`attribute_words`), and what looks alike (`lookalikes`).
2. **Words** (`vocabulary`): learned weights of the words in classes, ids, headings and texts, summed up around each
   paragraph.
3. **First pass** (`first_pass`, `first_pass_around`): boosted trees (`trees`) over what a paragraph is, where it stands
   and what surrounds it give each a chance of being content.
4. **Second pass** (`second_pass`, with the sums of `likelihood`): trees over these chances in the neighbourhood, so
   that regions come and go together. `scorer` runs both passes in one stretch.
5. **Decision** (`decision`, with `named`, `kept` and `holes`): content, title, comment, caption or boilerplate, with
   the reason.

`extractor` is the way in; `model` reads and checks the file of what was learned; `columns` writes each feature beside
its name. `webstrata.training` makes the model.
"""
