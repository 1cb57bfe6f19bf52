/* Scramble and its search by hand: what the compiled search of mpsearch is measured against.

   Written for speed as one would in C: a small state copied on the stack, one recursive
   function for the full search and one for alpha-beta, the number of players and the
   evaluator fixed when it is compiled:

       gcc -O3 -march=native -ffp-contract=off -DPLAYERS=4 -DEVALUATE=share

   Contraction is off because a fused multiply-add rounds once where NumPy and numba round
   twice, and the two searches must agree to the last bit. */

#include <math.h>
#include <stdint.h>

enum {
    SEATS = 6,
    MOST_STAMINA = 6,
    LONGEST_RUN = 3,
    TRIP_COST = 2,
    TRIP_RANGE = 4,
    TRIP_BACK = 2,
    BUMP_BACK = 3,
    TRIP = 10,
    MOST_MOVES = LONGEST_RUN + SEATS,
    LINE = 32,
};

typedef struct {
    int square[PLAYERS];
    int stamina[PLAYERS];
    int mover, length, plies_left, finished;
} State;

/* The value of a node to each seat, and the moves expected from it. */
typedef struct {
    double value[PLAYERS];
    int length;
    int line[LINE];
} Result;

typedef struct {
    double matrix[PLAYERS][PLAYERS];
    double most[PLAYERS]; /* no seat can perceive more */
    double stamina;       /* squares that one stamina is worth to `share` */
    int column;           /* alpha-beta: the seat whose value decides */
    int64_t nodes;
} Job;

static int list_moves(const State *s, int *out)
{
    const int me = s->mover, stamina = s->stamina[me];
    int count = 0;
    for (int squares = 1; squares <= LONGEST_RUN; squares++)
        if (squares - 1 <= stamina)
            out[count++] = squares;
    if (stamina >= TRIP_COST)
        for (int seat = 0; seat < PLAYERS; seat++) {
            const int away = s->square[seat] - s->square[me];
            if (seat != me && s->square[seat] > 0 && away <= TRIP_RANGE && -away <= TRIP_RANGE)
                out[count++] = TRIP + seat;
        }
    return count;
}

static int back(int square, int by)
{
    return square > by ? square - by : 0;
}

static void play(State *s, int move)
{
    const int me = s->mover;
    if (move >= TRIP) {
        s->stamina[me] -= TRIP_COST;
        s->square[move - TRIP] = back(s->square[move - TRIP], TRIP_BACK);
    } else {
        const int stamina = s->stamina[me] + (move == 1 ? 1 : 1 - move);
        const int square = s->square[me] + move < s->length ? s->square[me] + move : s->length;
        s->stamina[me] = stamina < MOST_STAMINA ? stamina : MOST_STAMINA;
        s->square[me] = square;
        for (int seat = 0; seat < PLAYERS; seat++)
            if (seat != me && s->square[seat] == square)
                s->square[seat] = back(square, BUMP_BACK);
    }
    s->plies_left--;
    if (s->square[me] == s->length || s->plies_left == 0)
        s->finished = 1;
    s->mover = me + 1 < PLAYERS ? me + 1 : 0;
}

static inline void progress(const State *s, const Job *job, double *out)
{
    (void)job;
    for (int seat = 0; seat < PLAYERS; seat++)
        out[seat] = 100.0 * s->square[seat] / s->length;
}

static inline void share(const State *s, const Job *job, double *out)
{
    double total = 0.0;
    int winner = -1;
    for (int seat = 0; seat < PLAYERS; seat++) {
        out[seat] = 1.0 + s->square[seat] + job->stamina * s->stamina[seat];
        total += out[seat];
        if (winner < 0 && s->square[seat] == s->length)
            winner = seat;
    }
    for (int seat = 0; seat < PLAYERS; seat++)
        if (winner < 0)
            out[seat] = 100.0 * out[seat] / total;
        else
            out[seat] = seat == winner ? 100.0 : 0.0;
}

static inline double perceived(const Job *job, int seat, const double *value)
{
    double seen = 0.0;
    for (int j = 0; j < PLAYERS; j++)
        seen += job->matrix[seat][j] * value[j];
    return seen;
}

static inline void keep(Result *r, const Result *below, int move)
{
    for (int j = 0; j < PLAYERS; j++)
        r->value[j] = below->value[j];
    r->length = below->length < LINE - 1 ? below->length + 1 : LINE;
    r->line[0] = move;
    for (int k = 1; k < r->length; k++)
        r->line[k] = below->line[k - 1];
}

static void search_all(Job *job, const State *s, int depth, Result *r)
{
    job->nodes++;
    if (depth == 0 || s->finished) {
        r->length = 0;
        EVALUATE(s, job, r->value);
        return;
    }
    int moves[MOST_MOVES];
    const int count = list_moves(s, moves);
    double best = -INFINITY;
    for (int i = 0; i < count; i++) {
        State next = *s;
        Result below;
        play(&next, moves[i]);
        search_all(job, &next, depth - 1, &below);
        const double seen = perceived(job, s->mover, below.value);
        if (seen > best) {
            best = seen;
            keep(r, &below, moves[i]);
        }
    }
}

/* Only job->column counts: seats with a positive entry there maximise it, the others minimise. */
static void alpha_beta(Job *job, const State *s, int depth, double low, double high, Result *r)
{
    job->nodes++;
    if (depth == 0 || s->finished) {
        r->length = 0;
        EVALUATE(s, job, r->value);
        return;
    }
    int moves[MOST_MOVES];
    const int count = list_moves(s, moves);
    const double sign = job->matrix[s->mover][job->column];
    double best = -INFINITY;
    for (int i = 0; i < count; i++) {
        State next = *s;
        Result below;
        play(&next, moves[i]);
        alpha_beta(job, &next, depth - 1, low, high, &below);
        const double value = below.value[job->column], seen = sign * value;
        if (seen > best) {
            best = seen;
            keep(r, &below, moves[i]);
            if (sign > 0)
                low = value > low ? value : low;
            else
                high = value < high ? value : high;
            if (low >= high || best >= job->most[s->mover])
                return;
        }
    }
}

/* Search every move of the root. `record` is the state as mpsearch keeps it: squares and stamina
   of six seats, mover, players, length, plies left, finished. `column` is -1 for the full search.
   Out: the value of every root move, the best one's index, its line; the nodes are returned. */
int64_t search_root(const int64_t *record, const double *matrix, const double *most, double stamina,
                    int column, int depth, double *values, int64_t *best, int64_t *line,
                    int64_t *length)
{
    State root;
    for (int seat = 0; seat < PLAYERS; seat++) {
        root.square[seat] = (int)record[seat];
        root.stamina[seat] = (int)record[SEATS + seat];
    }
    root.mover = (int)record[2 * SEATS];
    root.length = (int)record[2 * SEATS + 2];
    root.plies_left = (int)record[2 * SEATS + 3];
    root.finished = (int)record[2 * SEATS + 4];

    Job job = {.stamina = stamina, .column = column, .nodes = 1};
    for (int i = 0; i < PLAYERS; i++) {
        job.most[i] = most[i];
        for (int j = 0; j < PLAYERS; j++)
            job.matrix[i][j] = matrix[i * PLAYERS + j];
    }

    int moves[MOST_MOVES];
    const int count = list_moves(&root, moves);
    double best_seen = -INFINITY, low = -INFINITY, high = INFINITY;
    for (int i = 0; i < count; i++) {
        State next = root;
        Result below;
        play(&next, moves[i]);
        if (column < 0)
            search_all(&job, &next, depth - 1, &below);
        else
            alpha_beta(&job, &next, depth - 1, low, high, &below);
        for (int j = 0; j < PLAYERS; j++)
            values[i * PLAYERS + j] = below.value[j];
        const double seen = perceived(&job, root.mover, below.value);
        if (seen > best_seen) {
            best_seen = seen;
            *best = i;
            line[0] = moves[i];
            *length = below.length + 1;
            for (int k = 0; k < below.length; k++)
                line[k + 1] = below.line[k];
            if (column >= 0 && job.matrix[root.mover][column] > 0)
                low = below.value[column];
            else if (column >= 0)
                high = below.value[column];
        }
    }
    return job.nodes;
}
