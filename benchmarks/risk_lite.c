/* The same search as `maxn` over Risk-lite (branching bids, evaluator paper, no pruning),
 * written in C by hand, to compare speeds. Reads a state's record from a file.
 *
 *   risk_lite STATE DEPTH K W0 W1 W2 W3 W4
 *
 * prints: nodes, seconds of processor time, value by seat. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEATS = 6, LANDS = 64, REALMS = 16, EDGES = 384, CAP = 250, REACH = 4, LIST = 8192 };
enum { DEAL, CAMPAIGN, BATTLE, DONE };
#define ARRIVED ((int64_t)1 << 60)

typedef struct {
    int16_t armies[LANDS];
    uint8_t owner[LANDS];
    int32_t land[SEATS], troops[SEATS];
    int8_t held[SEATS][REALMS];
    int64_t phase, mover, players, rounds_played, round_limit, campaign, outcome, groups;
    int64_t territories, continents, reach;
    uint16_t near_from[LANDS + 1];
    uint8_t near[EDGES];
    uint8_t continent[LANDS];
    int16_t bonus[REALMS], members[REALMS];
} State;

typedef struct {
    State state;
    double value[SEATS];
    int64_t moves[LIST];
    double weights[LIST];
} Frame;

static double odds[4][3][3], conquest_table[33][33], survivors_table[33][33];
static double evaluator[5];
static Frame frames[64];
static int64_t nodes, best_of;

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }
static double fmaxd(double a, double b) { return a > b ? a : b; }
static int steps_of(int64_t c) { return (c >> 6) & 7; }
static int step_of(int64_t c, int k) { return (c >> (9 + 6 * k)) & 63; }

static void count_dice(void) {
    for (int a = 1; a <= 3; a++)
        for (int d = 1; d <= 2; d++) {
            int total = 1, n = a + d, pairs = min(a, d);
            int64_t lost[3] = {0, 0, 0};
            for (int i = 0; i < n; i++) total *= 6;
            for (int t = 0; t < total; t++) {
                int x[5], r = t;
                for (int i = 0; i < n; i++) x[i] = r % 6, r /= 6;
                for (int i = 0; i < a; i++)
                    for (int j = i + 1; j < a; j++)
                        if (x[j] > x[i]) { int y = x[i]; x[i] = x[j]; x[j] = y; }
                if (d == 2 && x[a + 1] > x[a]) { int y = x[a]; x[a] = x[a + 1]; x[a + 1] = y; }
                int l = 0;
                for (int i = 0; i < pairs; i++) l += x[i] <= x[a + i];
                lost[l]++;
            }
            odds[a][d][0] = (double)lost[0] / total;
            odds[a][d][1] = pairs == 2 ? (double)lost[1] / total : 0.0;
            odds[a][d][2] = (double)lost[pairs] / total;
        }
    for (int which = 0; which < 2; which++) {
        double(*t)[33] = which ? survivors_table : conquest_table;
        for (int a = 1; a <= 32; a++) {
            t[a][0] = which ? a : 1.0;
            for (int d = 1; d <= 32; d++) {
                double *p = odds[min(a, 3)][min(d, 2)];
                int n = a == 1 || d == 1 ? 1 : 2;
                t[a][d] = p[0] * t[a][d - n] + p[2] * t[a - n][d] + p[1] * t[a - 1][d - 1];
            }
        }
    }
    for (int a = 1; a <= 32; a++)
        for (int d = 0; d <= 32; d++) survivors_table[a][d] /= conquest_table[a][d];
}

static double entry(double t[33][33], double a, double d) {
    int lower = (int)a;
    double part = a - lower, here = t[lower][(int)d];
    if (part > 0) here += part * (t[lower + 1][(int)d] - here);
    return here;
}

static double look_up(double t[33][33], double a, double d, int scaled) {
    if (a < 1) return 0;
    double most = fmaxd(a, d);
    if (most < 32) return entry(t, a, d);
    double scale = 31 / most;
    return entry(t, fmaxd(a * scale, 1), d * scale) / (scaled ? scale : 1);
}

static int64_t income(const State *s, int seat) {
    int64_t armies = s->land[seat] / 3 > 3 ? s->land[seat] / 3 : 3;
    for (int c = 0; c < s->continents; c++)
        if (s->held[seat][c] == s->members[c]) armies += s->bonus[c];
    return armies;
}

static int at_border(const State *s, int t) {
    for (int i = s->near_from[t]; i < s->near_from[t + 1]; i++)
        if (s->owner[s->near[i]] != s->owner[t]) return 1;
    return 0;
}

static int nearest_border(const State *s, int start) {
    uint64_t seen = 0, ring = (uint64_t)1 << start;
    while (ring) {
        seen |= ring;
        uint64_t following = 0;
        for (uint64_t rest = ring; rest; rest &= rest - 1) {
            int t = __builtin_ctzll(rest);
            if (at_border(s, t)) return t;
            for (int i = s->near_from[t]; i < s->near_from[t + 1]; i++)
                following |= (uint64_t)1 << s->near[i];
        }
        ring = following & ~seen;
    }
    return start;
}

static void march(State *s, int64_t outcome) {
    int64_t c = s->campaign;
    int me = s->mover, source = c & 63, steps = steps_of(c), standing = 0;
    s->outcome = outcome;
    for (int k = 0; k < steps; k++) standing += s->armies[step_of(c, k)];
    int64_t left = outcome < 0 ? -outcome : 0;
    s->troops[me] += 1 - s->armies[source];
    s->armies[source] = 1;
    for (int k = 0; k < steps; k++) {
        int t = step_of(c, k), loser = s->owner[t], realm = s->continent[t];
        standing -= s->armies[t];
        int held = left > standing ? left - standing : 0;
        s->troops[loser] -= s->armies[t] - held;
        s->armies[t] = held;
        if (held) return;
        s->land[loser]--, s->held[loser][realm]--;
        s->land[me]++, s->held[me][realm]++;
        s->owner[t] = me, s->armies[t] = 1, s->troops[me]++;
    }
    int arrived = outcome - ARRIVED;
    s->armies[step_of(c, steps - 1)] = arrived;
    s->troops[me] += arrived - 1;
}

static void play(State *s, int64_t move) {
    int me = s->mover;
    if (s->phase == CAMPAIGN) {
        int source = move & 63, added = min(income(s, me), CAP - s->armies[source]);
        s->armies[source] += added, s->troops[me] += added;
        s->campaign = move, s->outcome = 0;
        if (steps_of(move)) { s->phase = BATTLE; return; }
    } else
        march(s, move);
    s->phase = CAMPAIGN;
    if (s->land[me] == s->territories) { s->phase = DONE; return; }
    for (int t = 0; t < s->territories; t++)
        if (s->owner[t] == me && s->armies[t] > 1 && !at_border(s, t)) {
            int front = nearest_border(s, t);
            int moved = min(s->armies[t] - 1, CAP - s->armies[front]);
            s->armies[t] -= moved, s->armies[front] += moved;
        }
    int seat = me;
    do {
        if (++seat == s->players) seat = 0, s->rounds_played++;
    } while (s->land[seat] == 0);
    s->mover = seat;
    if (s->rounds_played >= s->round_limit) s->phase = DONE;
}

static double *fight(double *here, double *one, double *two, int most, int defenders,
                     double *stalled) {
    size_t bytes = (most + 1) * sizeof(double);
    memset(one, 0, bytes), memset(two, 0, bytes);
    for (int d = defenders; d > 0; d--) {
        for (int a = most; a > 0; a--) {
            double p = here[a], *q = odds[min(a, 3)][min(d, 2)];
            if (p == 0) continue;
            if (a == 1 || d == 1) {
                one[a] += p * q[0], here[a - 1] += p * q[2];
            } else
                two[a] += p * q[0], one[a - 1] += p * q[1], here[a - 2] += p * q[2];
        }
        stalled[d] += here[0];
        double *old = here;
        here = one, one = two, two = old;
        memset(two, 0, bytes);
    }
    return here;
}

static int gather(const double *w, int first, int last, int64_t *out, double *chance, int count) {
    double filled = 0, moment = 0;
    int low = first, high = first;
    for (int i = first; i <= last; i++) {
        if (w[i] <= 0) continue;
        if (filled == 0) low = i;
        high = i;
        filled += w[i];
        moment += w[i] * (i - low);
    }
    if (filled <= 0) return count;
    int lower = low + (int)(moment / filled);
    if (lower > high) lower = high;
    double upper = lower < high ? moment - filled * (lower - low) : 0;
    if (filled - upper > 0) out[count] = lower, chance[count++] = filled - upper;
    if (upper > 0) out[count] = lower + 1, chance[count++] = upper;
    return count;
}

/* One group per result: what the default of four outcomes means. */
static int list_outcomes(const State *s, int64_t *out, double *chance) {
    static double w[2048], rows[3][CAP + 1];
    int64_t c = s->campaign;
    int steps = steps_of(c), total = 0, free = s->armies[c & 63] - 1;
    for (int k = 0; k < steps; k++) total += s->armies[step_of(c, k)];
    memset(w, 0, (total + free + 1) * sizeof(double));
    memset(rows[0], 0, (free + 1) * sizeof(double));
    rows[0][free] = 1;
    int rest = total;
    for (int k = 0; k < steps; k++) {
        int defenders = s->armies[step_of(c, k)];
        rest -= defenders;
        w[rest + defenders] += rows[0][0];
        rows[0][0] = 0;
        double *won = fight(rows[0], rows[1], rows[2], free, defenders, w + rest);
        memmove(rows[0], won + 1, free * sizeof(double));
        rows[0][free] = 0;
    }
    memcpy(w + total + 1, rows[0], free * sizeof(double));
    int count = gather(w, 1, total, out, chance, 0);
    count = gather(w, total + 1, total + free, out, chance, count);
    for (int k = 0; k < count; k++) out[k] = out[k] > total ? ARRIVED + out[k] - total : -out[k];
    return count;
}

static double worth(const State *s, int t) {
    int me = s->mover, owner = s->owner[t], c = s->continent[t];
    double bonus = s->bonus[c], part = (s->held[me][c] + 1.0) / s->members[c];
    double value = 1 + bonus * part * part;
    if (s->held[me][c] + 1 == s->members[c]) value += bonus;
    if (s->held[owner][c] == s->members[c]) value += 1.5 * bonus;
    if (s->land[owner] <= 2) value += 3;
    return value;
}

static double exposure(const State *s, int t, int armies) {
    int most = 0;
    for (int i = s->near_from[t]; i < s->near_from[t + 1]; i++)
        if (s->owner[s->near[i]] != s->owner[t]) most = max(most, s->armies[s->near[i]]);
    return most > 0 ? look_up(conquest_table, most + 2, armies, 0) : 0;
}

typedef struct { int64_t best[LANDS]; double bid[LANDS]; } Bids;

static void follow(const State *s, Bids *b, const int *path, int step, int longest, int64_t code,
                   double sure, double free, double gain) {
    int here = path[step], me = s->mover, next[REACH + 1];
    if (step == longest) return;
    memcpy(next, path, sizeof next);
    for (int i = s->near_from[here]; i < s->near_from[here + 1]; i++) {
        int goal = s->near[i], again = 0;
        if (s->owner[goal] == me) continue;
        for (int k = 1; k <= step; k++) again |= path[k] == goal;
        if (again) continue;
        double chance = sure * look_up(conquest_table, free, s->armies[goal], 0);
        double value = gain + worth(s, goal);
        int64_t longer = code + 64 + ((int64_t)goal << (9 + 6 * step));
        if (chance * value > b->bid[goal]) b->bid[goal] = chance * value, b->best[goal] = longer;
        if (chance > 0.05 && step + 1 < longest) {
            next[step + 1] = goal;
            follow(s, b, next, step + 1, longest, longer, chance,
                   look_up(survivors_table, free, s->armies[goal], 1) - 1, value);
        }
    }
}

static int bids(const State *s, int64_t *out) {
    Bids b;
    int me = s->mover, fresh = income(s, me), count = 0;
    for (int t = 0; t < s->territories; t++) b.bid[t] = -1;
    for (int t = 0; t < s->territories; t++) {
        if (s->owner[t] != me) continue;
        int c = s->continent[t], full = min(s->armies[t] + fresh, CAP);
        double value = 1 + (double)s->bonus[c] * s->held[me][c] / s->members[c];
        double saved = exposure(s, t, s->armies[t]) - exposure(s, t, full);
        b.best[t] = t;
        b.bid[t] = value * fmaxd(saved, 0);
        int path[REACH + 1] = {t};
        follow(s, &b, path, 0, min(s->reach, full - 1), t, 1, full - 1, 0);
    }
    while (count < best_of) {
        int first = -1;
        for (int t = 0; t < s->territories; t++)
            if (b.bid[t] >= 0 && (first < 0 || b.bid[t] > b.bid[first])) first = t;
        if (first < 0) break;
        out[count++] = b.best[first];
        b.bid[first] = -1;
    }
    return count;
}

static void evaluate(const State *s, double *out) {
    int players = s->players;
    for (int p = 0; p < players; p++) out[p] = 0;
    if (s->phase == DONE) {
        int64_t best = -1;
        int winner = 0;
        for (int p = 0; p < players; p++) {
            int64_t strength = ((int64_t)s->land[p] * (1 << 20) + s->troops[p]) * SEATS + p;
            if (strength > best) best = strength, winner = p;
        }
        out[winner] = 100;
        return;
    }
    double troops = 0, incomes = 0, values = s->territories, total = 0;
    int bonuses = 0;
    for (int c = 0; c < s->continents; c++) bonuses += s->bonus[c];
    values += bonuses;
    for (int p = 0; p < players; p++) {
        troops += s->troops[p];
        out[p] = s->land[p] ? income(s, p) : 0;
        incomes += out[p];
    }
    for (int k = 0; k < 5; k++) total += evaluator[k];
    double scale = 100 / total;
    for (int p = 0; p < players; p++) {
        double value = s->land[p];
        for (int c = 0; c < s->continents; c++)
            value += (double)(s->bonus[c] * s->held[p][c]) / s->members[c];
        out[p] = scale * (evaluator[0] * s->troops[p] / troops + evaluator[1] * value / values +
                          evaluator[3] * out[p] / incomes);
    }
    for (int c = 0; c < s->continents; c++) {
        int squares = 0;
        for (int p = 0; p < players; p++) squares += s->held[p][c] * s->held[p][c];
        double part = scale * evaluator[2] * s->bonus[c] / (bonuses * squares);
        for (int p = 0; p < players; p++) out[p] += part * (s->held[p][c] * s->held[p][c]);
    }
    double part = scale * evaluator[4] / s->territories;
    for (int t = 0; t < s->territories; t++) {
        int owner = s->owner[t], strongest = 0, rival = owner;
        for (int i = s->near_from[t]; i < s->near_from[t + 1]; i++) {
            int other = s->near[i];
            if (s->owner[other] != owner && s->armies[other] > strongest)
                strongest = s->armies[other], rival = s->owner[other];
        }
        double lost = part * strongest / (s->armies[t] + strongest);
        out[owner] += part - lost;
        out[rival] += lost;
    }
}

static void search(int ply, int depth) {
    Frame *f = frames + ply, *g = f + 1;
    State *s = &f->state;
    int players = s->players, count = 0;
    nodes++;
    if (s->phase == BATTLE)
        count = list_outcomes(s, f->moves, f->weights);
    else if (s->phase == CAMPAIGN && depth > 0)
        count = bids(s, f->moves);
    if (count == 0) {
        evaluate(s, f->value);
        return;
    }
    if (s->phase == BATTLE) {
        for (int p = 0; p < players; p++) f->value[p] = 0;
        for (int i = 0; i < count; i++) {
            g->state = *s;
            play(&g->state, f->moves[i]);
            search(ply + 1, depth);
            for (int p = 0; p < players; p++) f->value[p] += f->weights[i] * g->value[p];
        }
        return;
    }
    double best = 0;
    for (int i = 0; i < count; i++) {
        g->state = *s;
        play(&g->state, f->moves[i]);
        search(ply + 1, depth - 1);
        if (i == 0 || g->value[s->mover] > best) {
            best = g->value[s->mover];
            memcpy(f->value, g->value, sizeof f->value);
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 9) return 2;
    FILE *file = fopen(argv[1], "rb");
    State start;
    if (!file || fread(&start, 1, sizeof start, file) != sizeof start) return 3;
    int depth = atoi(argv[2]);
    best_of = atoi(argv[3]);
    for (int k = 0; k < 5; k++) evaluator[k] = atof(argv[4 + k]);
    count_dice();
    frames[0].state = start;
    clock_t begun = clock();
    search(0, depth);
    double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    printf("%lld %.9f", (long long)nodes, seconds);
    for (int p = 0; p < start.players; p++) printf(" %.12f", frames[0].value[p]);
    printf("\n");
    return 0;
}
