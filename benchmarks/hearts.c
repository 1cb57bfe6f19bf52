/* Unpruned MaxN over an open deal of Hearts (papers' variant), with the evaluator `paper`.
 *
 * Written as one would write it in C for this purpose alone: no history, no options, the mover's
 * own value compared directly. The tree, the node count and every value are those of the plugin.
 */
#include <math.h>
#include <stdint.h>

typedef int64_t cards;

#define LANE 16
#define RANKS 0x1FFFLL
#define ONES 0x0001000100010001LL
#define DECK (RANKS * ONES)
#define HEARTS (RANKS << 48)
#define QUEEN 42

typedef struct {
    cards hands[4], pile;
    int64_t points[4], scores[4];
    int best, winner, count, mover;
} state;

static const cards RANK_BIT[4] = {0x0AAALL * ONES, 0x0CCCLL * ONES, 0x10F0LL * ONES,
                                  0x1F00LL * ONES};

static int64_t nodes;
static const double *W;
static int64_t limit;

static inline int pop(cards x) { return __builtin_popcountll((uint64_t)x); }
static inline int low(cards x) { return __builtin_ctzll((uint64_t)x); }
static inline int penalty(cards x) { return pop(x & HEARTS) + 13 * (int)(x >> QUEEN & 1); }

static inline cards legal(const state *s) {
    cards hand = s->hands[s->mover];
    if (s->count == 0) return 1;
    if ((s->count & 3) == 0) return hand;
    cards follows = hand & RANKS << (s->best / LANE * LANE);
    return follows ? follows : hand;
}

static inline void play(state *s, int card) {
    int me = s->mover;
    if ((s->count & 3) == 0) {
        s->best = card;
        s->winner = me;
        s->pile = 0;
    } else if (card / LANE == s->best / LANE && card > s->best) {
        s->best = card;
        s->winner = me;
    }
    s->hands[me] &= ~(1LL << card);
    s->pile |= 1LL << card;
    s->count++;
    s->mover = (me + 1) & 3;
    if ((s->count & 3) == 0) {
        s->points[s->winner] += penalty(s->pile);
        s->mover = s->winner;
        if (s->count == 52) {
            s->mover = -1;
            s->count = 0;
            for (int i = 0; i < 4; i++) {
                s->scores[i] += s->points[i];
                s->points[i] = 0;
            }
            for (int i = 0; i < 4; i++)
                if (s->scores[i] >= limit) s->mover = -2;
        }
    }
}

static inline cards held(cards x) { return ((x + DECK) >> 13) & ONES; }

static inline double danger(cards hand, cards others) {
    cards shared = held(others), mine = hand & shared * RANKS;
    cards ducks = mine & ((others | ONES << 13) - ONES) & ~others;
    cards reach = others | (others >> 1 & (RANKS >> 1) * ONES);
    reach |= reach >> 2 & (RANKS >> 2) * ONES;
    reach |= reach >> 4 & (RANKS >> 4) * ONES;
    reach |= reach >> 8 & (RANKS >> 8) * ONES;
    cards takes = mine & ~reach, empty = shared & ~held(hand);
    int ranks = pop(hand & RANK_BIT[0]) + 2 * pop(hand & RANK_BIT[1]) + 4 * pop(hand & RANK_BIT[2])
                + 8 * pop(hand & RANK_BIT[3]) - 6 * pop(hand);
    int over = (int)(others >> QUEEN & 1) * pop(hand & 3LL << (QUEEN + 1));
    return W[2] * pop(takes) + W[3] * pop(ducks) + W[4] * (double)(hand >> QUEEN & 1) + W[5] * over
           + W[6] * pop(empty) + W[7] * ranks;
}

static inline void evaluate(const state *s, double *out) {
    cards all = s->hands[0] | s->hands[1] | s->hands[2] | s->hands[3];
    double mean = 0, sum = 0;
    for (int i = 0; i < 4; i++) {
        out[i] = danger(s->hands[i], all & ~s->hands[i]);
        mean += 0.25 * out[i];
    }
    for (int i = 0; i < 4; i++) {
        double x = 6.5 + out[i] - mean;
        out[i] = x + sqrt(x * x + 16.0);
        sum += out[i];
    }
    int open = s->count & 3 ? s->winner : -1;
    double share = penalty(all) / sum;
    for (int i = 0; i < 4; i++) {
        int64_t points = s->scores[i] + s->points[i] + (i == open ? penalty(s->pile) : 0);
        double total = (double)points + share * out[i];
        double v = 100.0 * (W[1] - total) / (W[1] - W[0]);
        out[i] = v < 0 ? 0 : v > 100 ? 100 : v;
    }
    if (s->mover == -2) {
        int64_t least = s->scores[0];
        for (int i = 1; i < 4; i++) least = s->scores[i] < least ? s->scores[i] : least;
        for (int i = 0; i < 4; i++)
            if (s->scores[i] == least) out[i] = 100;
            else {
                double second = 100.0 * (W[1] - (W[0] + 1)) / (W[1] - W[0]);
                out[i] = out[i] < second ? out[i] : second;
            }
    }
}

static void search(const state *s, int depth, double *out) {
    nodes++;
    if (depth == 0 || s->mover < 0) {
        evaluate(s, out);
        return;
    }
    int me = s->mover;
    double value[4], best = -1;
    for (cards c = legal(s); c; c &= c - 1) {
        state next = *s;
        play(&next, low(c));
        search(&next, depth - 1, value);
        if (value[me] > best) {
            best = value[me];
            for (int i = 0; i < 4; i++) out[i] = value[i];
        }
    }
}

/* numbers: hands[4], points[4], scores[4], pile, best, winner, count, mover, limit. */
int64_t run(const int64_t *numbers, const double *weights, int depth, double *out) {
    state s;
    for (int i = 0; i < 4; i++) {
        s.hands[i] = numbers[i];
        s.points[i] = numbers[4 + i];
        s.scores[i] = numbers[8 + i];
    }
    s.pile = numbers[12];
    s.best = (int)numbers[13];
    s.winner = (int)numbers[14];
    s.count = (int)numbers[15];
    s.mover = (int)numbers[16];
    limit = numbers[17];
    W = weights;
    nodes = 0;
    search(&s, depth, out);
    return nodes;
}
