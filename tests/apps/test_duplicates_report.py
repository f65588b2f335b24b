from typing import Any

from webstrata.apps.duplicates_report import clusters_report


def row(cluster: int, **other: Any) -> dict[str, Any]:
    return {"cluster": cluster, "title": "Silt", "keeper": False, "words": 40, "shared": 0.75, "url": None,
            "file": "crawl.warc", "record": 7, **other}  # fmt: skip


def about(clusters: int, members: int) -> dict[str, Any]:
    return {"by": "content", "written": 300, "clusters": clusters, "members": members, "dropped": members - clusters}


def test_each_cluster_names_its_keeper_and_the_shares_of_the_others() -> None:
    rows = [row(1, keeper=True, url="http://a.example/"), row(1), row(2, keeper=True, title="Mud"), row(2)]
    report = clusters_report(rows, about(2, 4))
    assert report.index("1. Silt (2 pages)") < report.index(">kept<") < report.index("75%") < report.index("2. Mud")
    assert '<a rel="noreferrer" href="http://a.example/">' in report
    assert "4 of them are in 2 clusters, and 2 can be dropped" in report


def test_texts_of_pages_are_escaped() -> None:
    hostile = row(1, keeper=True, title="<script>x</script>", url="javascript:x()", file="<b>")
    report = clusters_report([hostile], about(1, 1))
    assert "<script" not in report
    assert "<b>" not in report
    assert "href" not in report


def test_large_results_are_cut_and_say_so() -> None:
    rows = [row(1, keeper=True), *(row(1) for _ in range(49))] + [row(n, keeper=True) for n in range(2, 400)]
    report = clusters_report(rows, about(399, 448))
    assert "and 30 more" in report
    assert "199 more clusters are in clusters.parquet" in report
    assert report.count("<tr>") == 20 + 199


def test_a_crawl_without_duplicates_says_so() -> None:
    assert "No two pages are near-duplicates." in clusters_report([], about(0, 0))
