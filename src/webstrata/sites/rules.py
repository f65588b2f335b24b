"""The parameters of the site-oriented method of Fernandes et al. 2011."""

from __future__ import annotations

from dataclasses import dataclass

from webstrata.errors import InputError

__all__ = ["PAPER", "Rules"]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The parameters of the SOM tree: those of Fernandes et al. 2011, and choices that the paper leaves open.

    Parameters
    ----------
    alpha : nested nodes with text are joined if they are fewer levels apart than this (§4.3, 6)
    beta : children are joined to their parent if each is on fewer pages than this (§4.3, 8)
    scaled : whether beta is at most half of the pages. On a site of fewer than beta pages every class is rare, and all
        would be joined
    cover : a node is one region if runs of similar children cover this share of them. Siblings are similar if their
        labels are equal and the sets of their paths to depth 3 overlap by half (Jaccard); a run has a period of 1 to
        3. The paper says "recurrent (or regular)" and refers to others
    lists : whether the items of one ``ul``, ``ol``, ``dl`` or ``menu`` are a recurrent region whatever their attributes
    open_body : whether ``html`` and ``body`` are never a leaf and absorb nothing: one page with stray text in its body
        would otherwise make each page of the site one segment
    numbered : whether the first of equal siblings has a number even if it is the only one on its page, so that it
        matches the first of several on other pages. The paper numbers siblings only if two are equal
    outermost : whether a text belongs to the outermost class that holds its page, because refinement leaves classes
        nested at distances of alpha and more; otherwise to the innermost one
    flow : whether siblings whose number varies from page to page are one segment (see `webstrata.sites.classes`);
        needed for pages whose content has no element of its own beside the template

    >>> Rules(beta=4)
    Rules(alpha=6, beta=4, scaled=True, cover=0.8, lists=True, open_body=True, numbered=True, outermost=True, flow=True)
    """

    alpha: int = 6
    beta: int = 8
    scaled: bool = True
    cover: float = 0.8
    lists: bool = True
    open_body: bool = True
    numbered: bool = True
    outermost: bool = True
    flow: bool = True

    def __post_init__(self) -> None:
        if self.alpha < 1 or self.beta < 1 or not 0 < self.cover <= 1:
            raise InputError("alpha and beta are at least 1, cover lies above 0 and up to 1")


#: The rules of the paper, except for recurrent regions, which it does not define.
PAPER = Rules(scaled=False, lists=False, open_body=False, numbered=False, outermost=False, flow=False)
