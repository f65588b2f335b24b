"""The learned extractor, in five stages from a page to the kind of each of its paragraphs.

1. **Features of the page** (`reading`, into `page_features` and `paragraph_features`): the paragraphs of the page with
   their counts and words, the elements above them with the words of their names (`word_hashes`), and groups of
   paragraphs and elements that look alike.
2. **Words** (`vocabulary`): learned weights of the words in classes, ids, headings and texts, added up around each
   paragraph.
3. **First pass** (`first_pass`, `surroundings`): boosted trees (`webstrata.models.trees`) over the features of a
   paragraph, its place and its surroundings give it a chance of being content.
4. **Second pass** (`second_pass`, `likelihood`): trees over these chances in the neighbourhood of a paragraph, so that
   whole regions are kept or left out. `scorer` runs both passes.
5. **Decision** (`decision`, with the steps in `keep_rules`, `drop_rules` and `wholes`, `element_names` and `reasons`):
   content, title, comment, caption or boilerplate, with the reason.

`extractor` is the public class; `pipeline` runs the stages without the GIL; `model` reads and checks the file of the
model; `influences` explains scores. `webstrata.models.features` writes each feature beside its name, and
`webstrata.training` makes the model.
"""
