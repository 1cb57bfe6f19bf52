"""Review: every decision of a recorded game searched again, and what came of it for each seat."""

from mpsearch.studies.review.judge import Judge, JudgedMove, make_judge
from mpsearch.studies.review.result import Review, finished_review, review
