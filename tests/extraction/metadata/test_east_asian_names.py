"""Names of authors beside labels in Chinese, Japanese and Korean."""

from __future__ import annotations

import pytest

from webstrata.extraction.metadata.east_asian_names import east_asian_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("湖的地层\n作者：林晓禾 2024年", "林晓禾"),
        ("新华社北京5月17日电（记者林晓禾、王地）湖的", "林晓禾、王地"),
        ("（本报记者 林晓禾）", "林晓禾"),
        ("〔記者林曉禾／台北報導〕湖的地層", "林曉禾"),
        ("記者林曉禾/台北電", "林曉禾"),
        ("編譯：林曉禾", "林曉禾"),
        ("取材・文：山田太郎", "山田太郎"),
        ("執筆者：山田たろう、林地層", "山田たろう、林地層"),
        ("湖の地層です。【山田太郎】", "山田太郎"),
        ("[서울=뉴스] 홍길동 기자 = 지층", "홍길동"),
        ("글=홍길동\n사진=김지층", "홍길동"),
        ("記者会見が行われた。", ""),
        ("记者昨日从湖区获悉，地层很厚。", ""),
        ("작성자들은 말했다", ""),
    ],
)
def test_names_with_labels(text: str, names: str) -> None:
    assert east_asian_names(text) == names
