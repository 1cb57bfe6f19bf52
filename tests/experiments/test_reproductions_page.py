"""The page of reproductions is made of the results that are kept, and of nothing else."""

from pathlib import Path

from reproductions_page import BEGIN, END, rebuilt, results_text

from mpsearch.studies.reproduce.shipped_designs import shipped_names

ROOT = Path(__file__).resolve().parents[2]
HEAD = "name,rows,claim,printed,ours,low,high,p,verdict,games,seed,version,command"


def test_the_page_says_what_the_results_say() -> None:
    page = (ROOT / "docs/reproductions.md").read_text(encoding="utf-8")
    assert rebuilt(page, ROOT / "docs/results") == page


def test_claims_are_counted_and_shown_with_the_command_that_makes_them_again(
    tmp_path: Path,
) -> None:
    rows = [
        "risk-2,26,A wins,27 %,26,24,28,0.5,agrees,300,26,1,mpsearch reproduce risk-2",
        "risk-2,26,B wins,20 %,10,8,12,0.001,disagrees,310,26,1,mpsearch reproduce risk-2",
        "risk-2,26,C wins,2 %,,,,1,not enough games,0,26,1,mpsearch reproduce risk-2",
        "risk-2,26,Ours: D wins,,9,8,10,0.1,agrees,310,26,1,mpsearch reproduce risk-2",
    ]
    (tmp_path / "risk-2.csv").write_text("\n".join([HEAD, *rows, ""]))
    text = results_text(tmp_path)
    assert "| `risk-2` | 1 | 1 | 9 | 1 agrees |" in text  # and 8 that are shipped
    # Three questions: 2.394 for 1 - 5 % / 6, 0.842 for 80 %, by a standard error of 2 / 1.96.
    assert "| A wins | 27 % | 26 [24, 28] | 0.5 | 3.3 | 300 | **agrees** |" in text
    assert "| Angry wins 2 % of the games | 2 % | - | - | - | 0 | **not enough games** |" in text
    assert "| C wins | 2 % | - | 1 | - | 0 | **not enough games** |" in text
    assert "Seed 26; again: `mpsearch reproduce risk-2 --games 310`." in text
    for name in shipped_names():
        assert f"### `{name}`: " in text
        assert (f"Not run yet: `mpsearch reproduce {name} " in text) == (name != "risk-2")


def test_games_are_counted_as_they_were_played_and_the_printed_share_was_drawn_too(
    tmp_path: Path,
) -> None:
    """Seats of some of the games stand behind a claim; the command names all games."""
    row = "risk-2,26,MIX wins 27 % of the games,27 %,26,24,28,0.5,agrees,166,26,1,mpsearch x"
    (tmp_path / "risk-2.csv").write_text("\n".join([HEAD, row, ""]))
    (tmp_path / "risk-2-standings.csv").write_text("arm,role,games\na,MIX,200\na,PAR,198\n")
    text = results_text(tmp_path)
    assert "again: `mpsearch x --games 200`." in text
    # 2.802 by the root of (2 / 1.96)^2 and 27 * 73 / 750, the games that are printed.
    assert "| 26 [24, 28] | 0.5 | 5.4 | 166 |" in text


def test_what_is_written_by_hand_stays(tmp_path: Path) -> None:
    made = rebuilt(f"before\n{BEGIN}\nby hand\n{END}\nafter\n", tmp_path)
    assert made.startswith(f"before\n{BEGIN}\n")
    assert made.endswith(f"{END}\nafter\n")
    assert "by hand" not in made
