"""Reviews: every decision of a recorded game searched again, and what it gave each seat."""

from mpsearch.studies.review.judge import Judge, JudgedMove, make_judge
from mpsearch.studies.review.result import Review, finished_review, review
