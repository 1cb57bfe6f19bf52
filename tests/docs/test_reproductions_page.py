"""The page of reproductions says what the kept results say."""

from pathlib import Path

from mpsearch.reproduce.page import BEGIN, END, rebuilt

DOCS = Path(__file__).parents[2] / "docs"


def test_the_page_is_rebuilt_from_the_kept_results() -> None:
    page = (DOCS / "reproductions.md").read_text(encoding="utf-8")
    assert BEGIN in page
    assert END in page
    assert rebuilt(page, DOCS / "results") == page


def test_a_changed_result_changes_the_page(tmp_path: Path) -> None:
    row = "sos-1,13,X beats Y,+7,12.5,8.0,17.0,0.001,agrees,500,13,0.1.0,mpsearch reproduce sos-1"
    head = "name,rows,claim,printed,ours,low,high,p,verdict,games,seed,version,command"
    (tmp_path / "sos-1.csv").write_text(f"{head}\n{row}\n")
    page = rebuilt(f"before\n{BEGIN}\nOLD TEXT\n{END}\nafter", tmp_path)
    assert "| X beats Y | +7 | 12.5 [8.0, 17.0] | 0.001 | 500 | **agrees** |" in page
    assert "Seed 13; again: `mpsearch reproduce sos-1 --games 500`." in page
    assert "Not run yet: `mpsearch reproduce sos-2 --scale day`." in page
    assert page.startswith("before")
    assert page.endswith("after")
    assert "OLD TEXT" not in page
