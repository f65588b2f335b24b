r"""Presentation MathML as TeX, by tables: for formulas whose page gives no TeX."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from webstrata.page import parse

__all__ = ["tex_of_mathml"]

# Elements of one formula, and how deep they nest.
_MOST, _DEEPEST = 5000, 100

_SYMBOLS = {
    # Greek
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ϵ": r"\epsilon", "ε": r"\varepsilon",
    "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta", "ϑ": r"\vartheta", "ι": r"\iota", "κ": r"\kappa", "λ": r"\lambda",
    "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ϖ": r"\varpi", "ρ": r"\rho", "ϱ": r"\varrho",
    "σ": r"\sigma", "ς": r"\varsigma", "τ": r"\tau", "υ": r"\upsilon", "ϕ": r"\phi", "φ": r"\varphi", "χ": r"\chi",
    "ψ": r"\psi", "ω": r"\omega", "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi",
    "Π": r"\Pi", "Σ": r"\Sigma", "Υ": r"\Upsilon", "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega",
    # Operators and relations
    "±": r"\pm", "∓": r"\mp", "×": r"\times", "÷": r"\div", "⋅": r"\cdot", "·": r"\cdot", "∗": "*", "∘": r"\circ",
    "⊕": r"\oplus", "⊗": r"\otimes", "⊙": r"\odot", "∧": r"\land", "∨": r"\lor", "¬": r"\neg", "∩": r"\cap",
    "∪": r"\cup", "∖": r"\setminus", "≤": r"\leq", "≥": r"\geq", "≪": r"\ll", "≫": r"\gg", "≠": r"\neq",
    "≈": r"\approx", "≅": r"\cong", "≡": r"\equiv", "∼": r"\sim", "≃": r"\simeq", "∝": r"\propto", "∈": r"\in",
    "∉": r"\notin", "∋": r"\ni", "⊂": r"\subset", "⊆": r"\subseteq", "⊃": r"\supset", "⊇": r"\supseteq",
    "∅": r"\emptyset", "∀": r"\forall", "∃": r"\exists", "∄": r"\nexists", "∣": r"\mid", "∥": r"\parallel",
    "⊥": r"\perp", "∠": r"\angle", "⊢": r"\vdash", "⊨": r"\models", "≺": r"\prec", "≻": r"\succ", "⋆": r"\star",
    "★": r"\star", "≔": ":=", "≜": r"\triangleq", "△": r"\triangle", "□": r"\square", "∎": r"\blacksquare",
    # Arrows
    "→": r"\rightarrow", "←": r"\leftarrow", "↔": r"\leftrightarrow", "⇒": r"\Rightarrow", "⇐": r"\Leftarrow",
    "⇔": r"\Leftrightarrow", "↦": r"\mapsto", "↑": r"\uparrow", "↓": r"\downarrow", "⟶": r"\longrightarrow",
    "⟵": r"\longleftarrow", "⟹": r"\Longrightarrow", "⟺": r"\Longleftrightarrow", "↪": r"\hookrightarrow",
    "⇌": r"\rightleftharpoons", "↗": r"\nearrow", "↘": r"\searrow",
    # Large operators and other signs
    "∑": r"\sum", "∏": r"\prod", "∐": r"\coprod", "∫": r"\int", "∬": r"\iint", "∭": r"\iiint", "∮": r"\oint",
    "⋃": r"\bigcup", "⋂": r"\bigcap", "⨁": r"\bigoplus", "⨂": r"\bigotimes", "∂": r"\partial", "∇": r"\nabla",
    "∞": r"\infty", "ℏ": r"\hbar", "ℓ": r"\ell", "ℜ": r"\Re", "ℑ": r"\Im", "ℵ": r"\aleph", "…": r"\ldots",
    "⋯": r"\cdots", "⋮": r"\vdots", "⋱": r"\ddots", "†": r"\dagger", "‡": r"\ddagger", "′": "'", "″": "''",
    "‴": "'''", "°": r"^\circ", "√": r"\surd", "ı": r"\imath", "ȷ": r"\jmath", "−": "-", "–": "-",
    "⟨": r"\langle", "⟩": r"\rangle", "〈": r"\langle", "〉": r"\rangle", "⌊": r"\lfloor", "⌋": r"\rfloor",
    "⌈": r"\lceil", "⌉": r"\rceil", "‖": r"\|", "ℝ": r"\mathbb{R}", "ℂ": r"\mathbb{C}", "ℕ": r"\mathbb{N}",
    "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}", "ℙ": r"\mathbb{P}", "ℍ": r"\mathbb{H}", "ℒ": r"\mathcal{L}",
    "ℋ": r"\mathcal{H}", "ℱ": r"\mathcal{F}", "ℰ": r"\mathcal{E}", "ℬ": r"\mathcal{B}", "ℛ": r"\mathcal{R}",
    "ℳ": r"\mathcal{M}", "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&", "$": r"\$", "_": r"\_",
    "\\": r"\backslash", "~": r"\sim", "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "", "\u200b": "",
    "\xa0": r"\ ", "\u2009": r"\,", "\u2003": r"\quad",
}  # fmt: skip
_FUNCTIONS = frozenset(
    """arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max
    min Pr sec sin sinh sup tan tanh""".split()
)
_ACCENTS = {
    "^": "hat", "ˆ": "hat", "̂": "hat", "~": "tilde", "˜": "tilde", "̃": "tilde", "¯": "bar", "‾": "bar", "―": "bar",
    "_": "bar", "→": "vec", "⃗": "vec", "˙": "dot", "⋅": "dot", "̇": "dot", "¨": "ddot", "̈": "ddot", "ˇ": "check",
    "˘": "breve", "´": "acute", "`": "grave", "⏞": "overbrace", "︷": "overbrace", "⟶": "overrightarrow",
}  # fmt: skip
_UNDER_ACCENTS = {"_": "underline", "̲": "underline", "‾": "underline", "⏟": "underbrace", "︸": "underbrace"}
_VARIANTS = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "fraktur": "mathfrak", "normal": "mathrm",
    "sans-serif": "mathsf", "monospace": "mathtt", "bold-italic": "boldsymbol", "bold-script": "mathcal",
    "bold-fraktur": "mathfrak",
}  # fmt: skip
# Blocks of mathematical letters, with the commands for their 26 capitals and 26 small letters.
_ALPHABETS = (
    (0x1D400, "mathbf"), (0x1D434, ""), (0x1D468, "boldsymbol"), (0x1D49C, "mathcal"), (0x1D4D0, "mathcal"),
    (0x1D504, "mathfrak"), (0x1D538, "mathbb"), (0x1D56C, "mathfrak"), (0x1D5A0, "mathsf"), (0x1D5D4, "mathsf"),
    (0x1D670, "mathtt"),
)  # fmt: skip
_MATRICES = {
    ("(", ")"): "pmatrix",
    ("[", "]"): "bmatrix",
    ("|", "|"): "vmatrix",
    ("{", ""): "cases",
    ("‖", "‖"): "Vmatrix",
}
_FENCES = {"(": "(", ")": ")", "[": "[", "]": "]", "{": r"\{", "}": r"\}", "|": "|", "‖": r"\|", "": "."}
_PAIRS = {")": "(", "]": "[", "}": r"\{", "⟩": r"\langle", "⌋": r"\lfloor", "⌉": r"\lceil", "〉": r"\langle"}
_OPENING, _CLOSING = frozenset("([{⟨⌊⌈〈"), frozenset(")]}⟩⌋⌉〉")
_LIMITS = re.compile(
    r"\\(?:sum|prod|coprod|big\w+|lim|limsup|liminf|max|min|sup|inf|int|iint|iiint|oint|operatorname\*?\{[^{}]*\})$"
)
_BINOMIAL = r"\genfrac{}{}{0pt}{}"
_SPECIAL_IN_TEXT = re.compile(r"([#$%&_{}])")
_SKIPPED = frozenset(("annotation", "annotation-xml", "script", "style", "none", "mprescripts", "mspace", "mphantom"))
_ROWS = frozenset(
    ("math", "mrow", "mstyle", "semantics", "mpadded", "merror", "maction", "mtd", "menclose", "a", "span")
)


# The namespace prefix of a tag, which HTML does not know.
_PREFIX = re.compile(r"(</?)[A-Za-z]{1,20}:")


@dataclass(slots=True)
class _MathElement:
    name: str
    attributes: dict[str, str]
    children: list[_MathElement] = field(default_factory=list)
    text: str = ""


def _tree_of(markup: str) -> _MathElement | None:
    """The elements of a formula, or None if they are too many or too deep."""
    page = parse("<math>" + _PREFIX.sub(r"\1", markup))
    if len(page.elements) > _MOST or page.elements.deepest > _DEEPEST:
        return None
    nodes = [_MathElement(element.tag, element.attributes) for element in page.elements]
    for node, parent in zip(nodes[1:], page.elements.parent[1:].tolist(), strict=True):
        nodes[parent].children.append(node)
    for block, row in zip(page.blocks, page.blocks.element.tolist(), strict=True):
        nodes[row].text += block.text
    return next((node for node in nodes if node.name == "math"), None)


def tex_of_mathml(markup: str) -> str:
    r"""The TeX of presentation MathML; "" if there is nothing to show or too much.

    >>> tex_of_mathml("<msup><mi>x</mi><mn>2</mn></msup><mo>+</mo><mfrac><mi>α</mi><mn>12</mn></mfrac>")
    'x^{2} + \\frac{\\alpha}{12}'
    """
    root = _tree_of(markup)
    return "" if root is None else " ".join(_row(root.children).split())


def _join(parts: list[str]) -> str:
    return " ".join(part for part in parts if part)


def _row(nodes: list[_MathElement]) -> str:
    """Some elements in a row; a matrix between fences is one environment."""
    parts: list[str] = []
    nodes = [node for node in nodes if node.name not in _SKIPPED or node.name == "mspace"]
    fences: list[int] = []
    for place, node in enumerate(nodes):
        sign = node.text.strip() if node.name == "mo" else ""
        if node.name == "mtable" and place and nodes[place - 1].name == "mo":
            before = nodes[place - 1].text.strip()
            following = (
                nodes[place + 1].text.strip() if place + 1 < len(nodes) and nodes[place + 1].name == "mo" else ""
            )
            name = _MATRICES.get((before, following)) or (_MATRICES.get((before, "")) if not following else None)
            if name:
                parts[-1] = _table(node, name)
                if following and (before, following) in _MATRICES:
                    nodes[place + 1] = _MathElement("mo", {})
                continue
        if sign == ")" and len(parts) > 1 and parts[-2] == "(" and parts[-1].startswith(_BINOMIAL):
            parts[-2:] = [rf"\binom{parts[-1].removeprefix(_BINOMIAL)}"]
            continue
        if sign in _OPENING and node.attributes.get("stretchy", "") == "true":
            fences.append(len(parts))
        if sign in _CLOSING and fences and node.attributes.get("stretchy", "") == "true":
            parts[fences.pop()] = rf"\left{_PAIRS[sign]}"
            parts.append(rf"\right{_FENCES.get(sign, _symbols(sign))}")
            continue
        parts.append(_tex(node))
    return _join(parts)


def _group(node: _MathElement) -> str:
    return f"{{{_tex(node)}}}"


def _base(node: _MathElement) -> str:
    """The base of a script: in braces if it is more than one sign."""
    tex = _tex(node)
    return tex if len(tex) == 1 or re.fullmatch(r"\\[a-zA-Z]+(?:\{[^{}]*\})?", tex) or not tex else f"{{{tex}}}"


def _tex(node: _MathElement) -> str:
    name, children = node.name, [child for child in node.children if child.name not in _SKIPPED or child.name == "none"]
    if name in _LEAVES:
        return _leaf(node)
    if name in _ROWS:
        inner = _row(node.children) if node.children else _symbols(node.text.strip())
        return rf"\boxed{{{inner}}}" if name == "menclose" and "box" in node.attributes.get("notation", "") else inner
    if name == "msqrt":
        return rf"\sqrt{{{_row(children)}}}"
    if name == "mtable":
        return _table(node, "")
    if name == "mfenced":
        opening, closing = node.attributes.get("open", "("), node.attributes.get("close", ")")
        if len(children) == 1 and children[0].name == "mtable" and (opening, closing) in _MATRICES:
            return _table(children[0], _MATRICES[opening, closing])
        separator = node.attributes.get("separators", ",").strip()[:1]
        inner = f"{separator} ".join(_tex(child) for child in children)
        return (
            rf"\left{_FENCES.get(opening, _symbols(opening))} {inner} \right{_FENCES.get(closing, _symbols(closing))}"
        )
    if name == "mmultiscripts" and children:
        return _multiscripts(node)
    if name in _FIXED and len(children) >= _FIXED[name]:
        return _schema(name, node, children)
    return _row(node.children) if node.children else _symbols(node.text.strip())


_LEAVES = frozenset(("mi", "mn", "mo", "mtext", "ms", "mspace"))
_FIXED = {"mfrac": 2, "mroot": 2, "msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "munder": 2, "munderover": 3}


def _schema(name: str, node: _MathElement, children: list[_MathElement]) -> str:
    """An element with a fixed number of children."""
    first, second = children[0], children[1]
    if name == "mfrac":
        if node.attributes.get("linethickness", "").strip() in ("0", "0px", "0pt", "0em", "0.0em"):
            return rf"\genfrac{{}}{{}}{{0pt}}{{}}{_group(first)}{_group(second)}"
        return rf"\frac{_group(first)}{_group(second)}"
    if name == "mroot":
        return rf"\sqrt[{_tex(second)}]{_group(first)}"
    if name == "msup":
        power = _tex(second)
        return f"{_base(first)}{power}" if power and set(power) == {"'"} else f"{_base(first)}^{{{power}}}"
    if name == "msub":
        return f"{_base(first)}_{_group(second)}"
    if name == "msubsup":
        return f"{_base(first)}_{_group(second)}^{_group(children[2])}"
    base = _base(first)
    if name == "munderover":
        if _LIMITS.search(base):
            return f"{base}_{_group(second)}^{_group(children[2])}"
        return rf"\overset{_group(children[2])}{{\underset{_group(second)}{_group(first)}}}"
    sign = second.text.strip() if second.name in ("mo", "mtext", "mi") else ""
    if name == "mover":
        if sign in _ACCENTS:
            return rf"\{_ACCENTS[sign]}{_group(first)}"
        return f"{base}^{_group(second)}" if _LIMITS.search(base) else rf"\overset{_group(second)}{_group(first)}"
    if sign in _UNDER_ACCENTS:
        return rf"\{_UNDER_ACCENTS[sign]}{_group(first)}"
    return f"{base}_{_group(second)}" if _LIMITS.search(base) else rf"\underset{_group(second)}{_group(first)}"


def _multiscripts(node: _MathElement) -> str:
    base, *scripts = node.children
    before = next((place for place, child in enumerate(scripts) if child.name == "mprescripts"), len(scripts))

    def pairs(children: list[_MathElement]) -> str:
        return "".join(
            f"{sign}{_group(child)}"
            for place, child in enumerate(children)
            for sign in ("_" if place % 2 == 0 else "^",)
            if child.name != "none" and _tex(child)
        )

    leading, trailing = pairs(scripts[before + 1 :]), pairs(scripts[:before])
    return (f"{{}}{leading}" if leading else "") + f"{_base(base)}{trailing}"


def _table(node: _MathElement, name: str) -> str:
    rows = []
    tags = []
    for row in node.children:
        if row.name not in ("mtr", "mlabeledtr"):
            continue
        cells = [_row(cell.children) if cell.children else _symbols(cell.text.strip()) for cell in row.children]
        if row.name == "mlabeledtr" and cells:
            tags.append(cells[0])
            cells = cells[1:]
        rows.append(" & ".join(cells))
    if not name:
        if len(rows) == 1:
            label = f" ({tags[0].strip('() ')})" if tags else ""
            return rows[0].replace(" & ", " ") + label
        name = "aligned" if "right" in node.attributes.get("columnalign", "") else "matrix"
    return rf"\begin{{{name}}} " + r" \\ ".join(rows) + rf" \end{{{name}}}"


def _leaf(node: _MathElement) -> str:
    text = " ".join(node.text.split())
    if node.name == "mspace":
        return ""
    if not text:
        return r"\ " if "\xa0" in node.text and node.name == "mtext" else ""
    if node.name in ("mtext", "ms"):
        inner = _SPECIAL_IN_TEXT.sub(r"\\\1", node.text.replace("\\", "").replace("\xa0", " "))
        return rf"\text{{{inner}}}"
    if node.name == "mn":
        return _symbols(text)
    if node.name == "mi":
        if text in _FUNCTIONS:
            return f"\\{text}"
        variant = _VARIANTS.get(node.attributes.get("mathvariant", ""), "")
        if len(text) > 1 and text.isascii() and text.isalpha():
            return rf"\operatorname{{{text}}}" if not variant or variant == "mathrm" else rf"\{variant}{{{text}}}"
        tex = _symbols(text)
        return rf"\{variant}{{{tex}}}" if variant and variant != "mathrm" else tex
    if text in _FUNCTIONS:
        return f"\\{text}"
    if len(text) > 1 and text.isascii() and text.isalpha():
        return rf"\operatorname{{{text}}}"
    return _symbols(text)


def _symbols(text: str) -> str:
    return " ".join(_symbol(character) for character in text) if not text.isascii() else "".join(map(_symbol, text))


def _symbol(character: str) -> str:
    if character in _SYMBOLS:
        return _SYMBOLS[character]
    code = ord(character)
    if 0x1D7CE <= code <= 0x1D7FF:  # digits in ten-character blocks
        return str((code - 0x1D7CE) % 10)
    if 0x1D400 <= code < 0x1D6A4:
        start, command = max(each for each in _ALPHABETS if each[0] <= code)
        place = code - start
        letter = chr(65 + place) if place < 26 else chr(97 + place - 26)
        if place < 52:
            return rf"\{command}{{{letter}}}" if command else letter
    return character
