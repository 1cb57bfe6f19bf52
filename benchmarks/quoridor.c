/* Perft of Quoridor by hand in C, to compare the plugin's compiled rules with.
 *
 * The same ideas as the plugin: bitboards, the anchor test, and a path search only for walls
 * that cross somebody's shortest path. Moves are listed, not only counted, as in the plugin.
 *
 *     quoridor PLAYERS DEPTH REPEATS    prints leaves and seconds of CPU time per repeat
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef unsigned __int128 Set;

enum { WIDTH = 9, SQUARES = 81, SEATS = 4, MOST_MOVES = 136, HORIZONTAL = 100, VERTICAL = 200, PASS = 81 };
enum { SOUTH, WEST, NORTH, EAST };

typedef struct {
    Set horizontal, vertical, north, east;
    int pawn[SEATS], walls[SEATS];
    int mover, players, finished;
} State;

static Set BOARD, ROW_1, COLUMN_A, SLOTS, BORDER, NORTHWARD, EASTWARD, GOAL[4];

static inline Set bit(int square) { return (Set)1 << square; }

static inline int lowest(Set set) {
    unsigned long long low = (unsigned long long)set;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((unsigned long long)(set >> 64));
}

static inline int side_of(const State *s, int seat) { return s->players == 2 ? 2 * seat : seat; }

static void make_tables(void) {
    for (int row = 0; row < WIDTH; row++)
        for (int column = 0; column < WIDTH; column++) {
            Set here = bit(WIDTH * row + column);
            BOARD |= here;
            if (row == 0) ROW_1 |= here, GOAL[NORTH] |= here;
            if (column == 0) COLUMN_A |= here, GOAL[EAST] |= here;
            if (row == WIDTH - 1) GOAL[SOUTH] |= here; else NORTHWARD |= here;
            if (column == WIDTH - 1) GOAL[WEST] |= here; else EASTWARD |= here;
            if (row < WIDTH - 1 && column < WIDTH - 1) SLOTS |= here; else BORDER |= here;
        }
}

static inline Set ring(Set from, Set north, Set east) {
    return from | (from & north) << WIDTH | (from >> WIDTH & north) | (from & east) << 1 | (from >> 1 & east);
}

static int reaches(Set from, Set goal, Set north, Set east) {
    while (!(from & goal)) {
        Set old = from;
        from |= (from & east) << 1;
        from |= from >> 1 & east;
        from |= (from & north) << WIDTH;
        from |= from >> WIDTH & north;
        if (from == old) return 0;
    }
    return 1;
}

/* The horizontal and vertical walls that cross one shortest path of a seat. */
static void crossings(const State *s, int seat, Set *h, Set *v) {
    Set rings[SQUARES], goal = GOAL[side_of(s, seat)], at = bit(s->pawn[seat]);
    Set up_from = 0, right_from = 0;
    int length = 0;
    while (!(at & goal)) {
        rings[length++] = at;
        at = ring(at, s->north, s->east);
    }
    at = bit(lowest(at & goal));
    while (length-- > 0) {
        Set before = rings[length], to;
        if ((to = at >> WIDTH & s->north & before)) up_from |= to;
        else if ((to = at >> 1 & s->east & before)) right_from |= to;
        else if ((to = (at & s->north) << WIDTH & before)) up_from |= at;
        else to = at << 1, right_from |= at;
        at = to;
    }
    *h = up_from | up_from >> 1;
    *v = right_from | right_from >> WIDTH;
}

static Set closing(const State *s, const Set crossed[SEATS], Set doubtful, int vertical) {
    Set found = 0;
    while (doubtful) {
        Set wall = bit(lowest(doubtful)), north = s->north, east = s->east;
        doubtful &= doubtful - 1;
        if (vertical) east &= ~(wall | wall << WIDTH); else north &= ~(wall | wall << 1);
        for (int seat = 0; seat < s->players; seat++)
            if (crossed[seat] & wall && !reaches(bit(s->pawn[seat]), GOAL[side_of(s, seat)], north, east)) {
                found |= wall;
                break;
            }
    }
    return found;
}

static void legal_walls(const State *s, Set *h_out, Set *v_out) {
    Set h = s->horizontal, v = s->vertical;
    Set h_span = h | h << 1 | h >> 1, v_span = v | v << WIDTH | v >> WIDTH;
    Set h_free = SLOTS & ~(h_span | v), v_free = SLOTS & ~(v_span | h);
    Set points = h_span | v_span | BORDER;
    Set west = points << 1 | 1, east = points >> 1, south = points << WIDTH | ROW_1, north = points >> WIDTH;
    Set h_doubt = h_free & ((points & (west | east)) | (west & east));
    Set v_doubt = v_free & ((points & (south | north)) | (south & north));
    if (h_doubt | v_doubt) {
        Set h_crossed[SEATS], v_crossed[SEATS], h_any = 0, v_any = 0;
        for (int seat = 0; seat < s->players; seat++) {
            crossings(s, seat, &h_crossed[seat], &v_crossed[seat]);
            h_any |= h_crossed[seat];
            v_any |= v_crossed[seat];
        }
        h_free &= ~closing(s, h_crossed, h_doubt & h_any, 0);
        v_free &= ~closing(s, v_crossed, v_doubt & v_any, 1);
    }
    *h_out = h_free;
    *v_out = v_free;
}

static inline Set toward(const State *s, Set at, int direction) {
    switch (direction) {
        case 0: return (at & s->north) << WIDTH;
        case 1: return (at & s->east) << 1;
        case 2: return at >> 1 & s->east;
        default: return at >> WIDTH & s->north;
    }
}

static Set targets(const State *s) {
    Set pawns = 0, here = bit(s->pawn[s->mover]), found = 0;
    for (int seat = 0; seat < s->players; seat++) pawns |= bit(s->pawn[seat]);
    for (int d = 0; d < 4; d++) {
        Set to = toward(s, here, d);
        if (!(to & pawns)) { found |= to; continue; }
        Set beyond = toward(s, to, d);
        if (beyond & ~pawns) { found |= beyond; continue; }
        for (int turn = 0; turn < 4; turn++)
            if (turn != d && turn != 3 - d) found |= toward(s, to, turn) & ~pawns;
    }
    return found;
}

static inline int list(Set set, int first, int *out, int count) {
    unsigned long long low = (unsigned long long)set, high = (unsigned long long)(set >> 64);
    for (; low; low &= low - 1) out[count++] = first + __builtin_ctzll(low);
    for (; high; high &= high - 1) out[count++] = first + 64 + __builtin_ctzll(high);
    return count;
}

static int moves(const State *s, int *out) {
    int count = list(targets(s), 0, out, 0);
    if (s->walls[s->mover]) {
        Set h, v;
        legal_walls(s, &h, &v);
        count = list(h, HORIZONTAL, out, count);
        count = list(v, VERTICAL, out, count);
    }
    if (!count) out[count++] = PASS;
    return count;
}

static void play(State *s, int move) {
    int me = s->mover;
    if (move < PASS) {
        s->pawn[me] = move;
        if (bit(move) & GOAL[side_of(s, me)]) s->finished = 1;
    } else if (move > PASS) {
        if (move >= VERTICAL) {
            Set wall = bit(move - VERTICAL);
            s->vertical |= wall;
            s->east &= ~(wall | wall << WIDTH);
        } else {
            Set wall = bit(move - HORIZONTAL);
            s->horizontal |= wall;
            s->north &= ~(wall | wall << 1);
        }
        s->walls[me]--;
    }
    s->mover = me + 1 < s->players ? me + 1 : 0;
}

static long long perft(const State *s, int depth) {
    int out[MOST_MOVES];
    long long total = 0;
    if (s->finished) return 0;
    int count = moves(s, out);
    if (depth == 1) return count;
    for (int i = 0; i < count; i++) {
        State after = *s;
        play(&after, out[i]);
        total += perft(&after, depth - 1);
    }
    return total;
}

int main(int argc, char **argv) {
    static const int START[4] = {4, 36, 76, 44};
    if (argc != 4) return 2;
    int players = atoi(argv[1]), depth = atoi(argv[2]), repeats = atoi(argv[3]);
    make_tables();
    State s = {.north = NORTHWARD, .east = EASTWARD, .players = players};
    for (int seat = 0; seat < players; seat++) {
        s.pawn[seat] = START[side_of(&s, seat)];
        s.walls[seat] = players == 2 ? 10 : players == 3 ? 7 : 5;
    }
    for (int k = 0; k < repeats; k++) {
        clock_t started = clock();
        long long leaves = perft(&s, depth);
        printf("%lld %.4f\n", leaves, (double)(clock() - started) / CLOCKS_PER_SEC);
        fflush(stdout);
    }
    return 0;
}
