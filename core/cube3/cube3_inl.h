/*
 * cube3_inl.h - the operations of the hot loop, for the instruction set that the including file is
 * compiled for.
 *
 * CUBE3_AVX2 is 1 in files compiled with -mavx2, else the portable forms are taken. Both
 * compute the same values, bit for bit; tests hold them against core/perm and core/table.
 */
#ifndef CORE_CUBE3_CUBE3_INL_H
#define CORE_CUBE3_CUBE3_INL_H

#include <string.h>

#include "core/cube3/cube3.h"
#include "core/cube3/cube3_structure.h"

#ifdef __AVX2__
#define CUBE3_AVX2 1
#include <immintrin.h>
#else
#define CUBE3_AVX2 0
#endif

/* Three bits of each byte of x, packed: bytes 0..3 into bits 0..11, bytes 4..7 into bits 32..43. */
BASE_INLINE uint64_t cube3_pack3(uint64_t x)
{
    x &= 0x0707070707070707u;
    x = (x | x >> 5) & 0x003f003f003f003fu;
    return (x | x >> 10) & 0x00000fff00000fffu;
}

/* Four bits of each byte: bytes 0..3 into bits 0..15, bytes 4..7 into bits 32..47. */
BASE_INLINE uint64_t cube3_pack4(uint64_t x)
{
    x &= 0x0f0f0f0f0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ff00ff00ffu;
    return (x | x >> 8) & 0x0000ffff0000ffffu;
}

/* Rank of the tail whose pieces are the four-bit fields of `pieces`, under this head. */
BASE_INLINE uint32_t cube3_tail_rank(const struct cube3_subset *subset, uint32_t head,
                                     uint32_t pieces)
{
    uint64_t relative = subset->relative[head];
    uint32_t field = 0;
    for (unsigned j = 0; j < subset->tail_count; j++)
        field |= (uint32_t)(relative >> ((pieces >> 4 * j & 15) * 4) & 15) << 4 * j;
    return subset->tail[field];
}

/* Index from the selected bytes' pieces (packed by pack4) and turns (bits 0..3 head, 4..7 tail). */
BASE_INLINE uint64_t cube3_subset_finish(const struct cube3_subset *subset, uint64_t pieces,
                                         uint32_t turns)
{
    uint32_t head = subset->head[pieces & 0xffff];
    uint64_t line =
        (uint64_t)head * subset->n_tails + cube3_tail_rank(subset, head, (uint32_t)(pieces >> 32));
    uint32_t entry = (turns & 15) | (turns >> 4) << subset->head_count;
    return line << subset->k | entry;
}

/* How the edges are seen along an axis and after the symmetry of the corners' class. */
BASE_INLINE const struct cube3_edge_view *cube3_edge_view(const struct cube3_product *product,
                                                          unsigned a, uint32_t found)
{
    return &product->view[a][found & ((1u << CUBE3_SYM_BITS) - 1)];
}

#if CUBE3_AVX2

BASE_INLINE __m256i cube3_times(const struct cube3 *s, const struct cube3 *m)
{
    const __m256i turn_bits = _mm256_set1_epi8(0x30);
    const __m256i mod = _mm256_setr_m128i(_mm_set1_epi8(0x30), _mm_set1_epi8(0x20));
    __m256i a = _mm256_load_si256((const __m256i *)s);
    __m256i b = _mm256_load_si256((const __m256i *)m);
    __m256i sum = _mm256_add_epi8(_mm256_shuffle_epi8(a, b), _mm256_and_si256(b, turn_bits));
    /* The smaller of x and x - mod as unsigned bytes is x reduced, because pieces take the low bits
     * only. */
    return _mm256_min_epu8(sum, _mm256_sub_epi8(sum, mod));
}

BASE_INLINE void cube3_compose(const struct cube3 *s, const struct cube3 *m, struct cube3 *out)
{
    _mm256_store_si256((__m256i *)out, cube3_times(s, m));
}

/* The product becomes a state of a batch. */
BASE_INLINE void cube3_compose_to_batch(const struct cube3 *s, const struct cube3 *m,
                                        struct cube3_batch *batch, unsigned at)
{
    __m256i product = cube3_times(s, m);
    _mm_storel_epi64((__m128i *)(void *)batch->corners[at], _mm256_castsi256_si128(product));
    _mm_store_si128((__m128i *)(void *)batch->edges[at], _mm256_extracti128_si256(product, 1));
}

/* Pieces in place and unturned. */
BASE_INLINE void cube3_count_in_place(const struct cube3 *cube, unsigned *corners, unsigned *edges)
{
    const __m256i home = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0,
                                          1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    __m256i slots = _mm256_load_si256((const __m256i *)cube);
    unsigned same = (unsigned)_mm256_movemask_epi8(_mm256_cmpeq_epi8(slots, home));
    *corners = (unsigned)__builtin_popcount(same & 0xff);
    *edges = (unsigned)__builtin_popcount(same >> CUBE3_EDGE_AT & 0xfff);
}

BASE_INLINE uint64_t cube3_exact_index(const struct cube3_exact *exact, const struct cube3 *cube)
{
    const __m128i three = _mm_set1_epi8(3);
    __m128i slots = _mm_load_si128((const __m128i *)cube->b);
    slots = _mm_shuffle_epi8(slots, _mm_loadu_si128((const __m128i *)exact->select));
    __m128i piece = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)exact->relabel),
                                     _mm_and_si128(slots, _mm_set1_epi8(15)));
    uint64_t packed = cube3_pack3((uint64_t)_mm_cvtsi128_si64(piece));
    uint32_t rank = exact->head[packed & 0xfff] + exact->tail[packed >> 32];
    uint32_t found = exact->line_of_perm[rank];
    const struct cube3_sym *sym = &exact->sym[found & ((1u << CUBE3_SYM_BITS) - 1)];
    __m128i turn = _mm_and_si128(_mm_srli_epi16(slots, 4), three);
    turn = _mm_shuffle_epi8(_mm_load_si128((const __m128i *)sym->product), turn);
    __m128i frame = _mm_load_si128((const __m128i *)sym->turn);
    turn = _mm_add_epi8(turn, _mm_add_epi8(frame, three));
    turn = _mm_sub_epi8(turn, _mm_shuffle_epi8(frame, piece));
    turn = _mm_min_epu8(turn, _mm_sub_epi8(turn, three));
    turn = _mm_min_epu8(turn, _mm_sub_epi8(turn, three));
    turn = _mm_shuffle_epi8(turn, _mm_load_si128((const __m128i *)sym->from));
    unsigned ones = (unsigned)_mm_movemask_epi8(_mm_slli_epi16(turn, 7)) & 255;
    unsigned twos = (unsigned)_mm_movemask_epi8(_mm_slli_epi16(turn, 6)) & 255;
    return (uint64_t)(found >> CUBE3_SYM_BITS) * exact->stride + exact->weight[ones] +
           2u * exact->weight[twos];
}

BASE_INLINE uint64_t cube3_subset_index(const struct cube3_subset *subset, const struct cube3 *cube)
{
    __m128i slots = _mm_load_si128((const __m128i *)(cube->b + CUBE3_EDGE_AT));
    __m128i image = _mm_shuffle_epi8(_mm_load_si128((const __m128i *)subset->label), slots);
    __m128i turn = _mm_and_si128(slots, _mm_set1_epi8(0x10));
    turn = _mm_xor_si128(turn, _mm_load_si128((const __m128i *)subset->turn));
    image = _mm_xor_si128(image, turn);
    image = _mm_shuffle_epi8(image, _mm_load_si128((const __m128i *)subset->select));
    uint64_t pieces = cube3_pack4((uint64_t)_mm_cvtsi128_si64(image));
    uint32_t turns = (uint32_t)_mm_movemask_epi8(_mm_slli_epi16(image, 3)) & 255;
    return cube3_subset_finish(subset, pieces, turns);
}

BASE_INLINE __m128i cube3_load16(const uint8_t *bytes)
{
    return _mm_load_si128((const __m128i *)bytes);
}

/* Number of the corners' part, seen along axis `a`. */
BASE_INLINE uint32_t cube3_product_part(const struct cube3_product *product, unsigned a,
                                        const struct cube3 *cube)
{
    const struct cube3_axis *axis = &product->axis[a];
    const __m128i three = _mm_set1_epi8(3);
    __m128i slots = cube3_load16(cube->b);
    __m128i frame = cube3_load16(axis->corner_turn);
    __m128i block = _mm_shuffle_epi8(cube3_load16(axis->corner_block), slots);
    __m128i turn = _mm_and_si128(_mm_srli_epi16(slots, 4), three);
    turn = _mm_shuffle_epi8(cube3_load16(axis->corner_product), turn);
    turn = _mm_add_epi8(turn, _mm_add_epi8(frame, three));
    turn = _mm_sub_epi8(turn, _mm_shuffle_epi8(frame, slots));
    turn = _mm_min_epu8(turn, _mm_sub_epi8(turn, three));
    turn = _mm_min_epu8(turn, _mm_sub_epi8(turn, three));
    /* Twists in bits 0 and 1, the block in bit 2. */
    __m128i both = _mm_or_si128(turn, _mm_slli_epi16(block, 2));
    both = _mm_shuffle_epi8(both, cube3_load16(axis->corner_from));
    unsigned ones = (unsigned)_mm_movemask_epi8(_mm_slli_epi16(both, 7)) & 255;
    unsigned twos = (unsigned)_mm_movemask_epi8(_mm_slli_epi16(both, 6)) & 255;
    unsigned held = (unsigned)_mm_movemask_epi8(_mm_slli_epi16(both, 5)) & 255;
    return product->block[held] + product->weight[ones] + 2u * product->weight[twos];
}

/* The index, once the corners' part has been looked up in class_of. */
BASE_INLINE uint64_t cube3_product_join(const struct cube3_product *product, unsigned a,
                                        const struct cube3 *cube, uint32_t found)
{
    const struct cube3_edge_view *view = cube3_edge_view(product, a, found);
    __m128i slots = cube3_load16(cube->b + CUBE3_EDGE_AT);
    __m128i edges = _mm_shuffle_epi8(cube3_load16(view->label), slots);
    edges = _mm_xor_si128(edges, _mm_and_si128(slots, _mm_set1_epi8(0x10)));
    edges = _mm_xor_si128(edges, cube3_load16(view->turn));
    edges = _mm_shuffle_epi8(edges, cube3_load16(view->from));
    unsigned layer = (unsigned)_mm_movemask_epi8(_mm_slli_epi16(edges, 7)) & 0xfff;
    unsigned flips = (unsigned)_mm_movemask_epi8(_mm_slli_epi16(edges, 3));
    uint64_t line =
        (uint64_t)(found >> CUBE3_SYM_BITS) * product->n_layers + product->layer_rank[layer];
    return line << product->flip_bits | (flips >> product->flip_shift & product->flip_mask);
}

#else

BASE_INLINE void cube3_compose(const struct cube3 *s, const struct cube3 *m, struct cube3 *out)
{
    struct cube3 product;
    for (unsigned i = 0; i < CUBE3_BYTES; i++) {
        unsigned mod = i < CUBE3_EDGE_AT ? 0x30 : 0x20;
        unsigned sum = s->b[(i & 16) | (m->b[i] & 15)] + (m->b[i] & 0x30u);
        product.b[i] = (uint8_t)(sum >= mod ? sum - mod : sum);
    }
    *out = product;
}

BASE_INLINE void cube3_compose_to_batch(const struct cube3 *s, const struct cube3 *m,
                                        struct cube3_batch *batch, unsigned at)
{
    struct cube3 product;
    cube3_compose(s, m, &product);
    cube3_batch_set(batch, at, &product);
}

BASE_INLINE void cube3_count_in_place(const struct cube3 *cube, unsigned *corners, unsigned *edges)
{
    *corners = *edges = 0;
    for (unsigned i = 0; i < 8; i++)
        *corners += cube->b[i] == i;
    for (unsigned i = 0; i < 12; i++)
        *edges += cube->b[CUBE3_EDGE_AT + i] == i;
}

BASE_INLINE uint64_t cube3_exact_index(const struct cube3_exact *exact, const struct cube3 *cube)
{
    uint8_t piece[8], turn[8];
    uint64_t pieces = 0;
    for (unsigned i = 0; i < 8; i++) {
        unsigned slot = cube->b[exact->select[i]];
        piece[i] = exact->relabel[slot & 15];
        turn[i] = slot >> 4 & 3;
        pieces |= (uint64_t)piece[i] << 8 * i;
    }
    uint64_t packed = cube3_pack3(pieces);
    uint32_t found = exact->line_of_perm[exact->head[packed & 0xfff] + exact->tail[packed >> 32]];
    const struct cube3_sym *sym = &exact->sym[found & ((1u << CUBE3_SYM_BITS) - 1)];
    for (unsigned i = 0; i < 8; i++)
        turn[i] = (uint8_t)((sym->product[turn[i]] + sym->turn[i] + 3 - sym->turn[piece[i]]) % 3);
    unsigned ones = 0, twos = 0;
    for (unsigned i = 0; i < 8; i++) {
        unsigned value = turn[sym->from[i]];
        ones |= (value & 1) << i;
        twos |= (value >> 1) << i;
    }
    return (uint64_t)(found >> CUBE3_SYM_BITS) * exact->stride + exact->weight[ones] +
           2u * exact->weight[twos];
}

BASE_INLINE uint64_t cube3_subset_index(const struct cube3_subset *subset, const struct cube3 *cube)
{
    uint64_t pieces = 0;
    uint32_t turns = 0;
    for (unsigned j = 0; j < 8; j++) {
        unsigned at = subset->select[j];
        if (at & 0x80)
            continue;
        unsigned slot = cube->b[CUBE3_EDGE_AT + at];
        unsigned image = subset->label[slot & 15] ^ (slot & 0x10) ^ subset->turn[at];
        pieces |= (uint64_t)(image & 15) << 8 * j;
        turns |= (image >> 4 & 1) << j;
    }
    return cube3_subset_finish(subset, cube3_pack4(pieces), turns);
}

BASE_INLINE uint32_t cube3_product_part(const struct cube3_product *product, unsigned a,
                                        const struct cube3 *cube)
{
    const struct cube3_axis *axis = &product->axis[a];
    unsigned ones = 0, twos = 0, held = 0;
    for (unsigned i = 0; i < 8; i++) {
        unsigned slot = cube->b[axis->corner_from[i]], piece = slot & 15;
        unsigned turn = axis->corner_product[slot >> 4] + axis->corner_turn[axis->corner_from[i]] +
                        3u - axis->corner_turn[piece];
        turn %= 3;
        ones |= (turn & 1) << i;
        twos |= (turn >> 1) << i;
        held |= (unsigned)axis->corner_block[piece] << i;
    }
    return product->block[held] + product->weight[ones] + 2u * product->weight[twos];
}

BASE_INLINE uint64_t cube3_product_join(const struct cube3_product *product, unsigned a,
                                        const struct cube3 *cube, uint32_t found)
{
    const struct cube3_edge_view *view = cube3_edge_view(product, a, found);
    unsigned layer = 0, flips = 0;
    for (unsigned i = 0; i < 12; i++) {
        unsigned from = view->from[i], slot = cube->b[CUBE3_EDGE_AT + from];
        unsigned edge = view->label[slot & 15] ^ (slot & 0x10) ^ view->turn[from];
        layer |= (edge & 1) << i;
        flips |= (edge >> 4 & 1) << i;
    }
    uint64_t line =
        (uint64_t)(found >> CUBE3_SYM_BITS) * product->n_layers + product->layer_rank[layer];
    return line << product->flip_bits | (flips >> product->flip_shift & product->flip_mask);
}

#endif

BASE_INLINE uint64_t cube3_product_index(const struct cube3_product *product, unsigned a,
                                         const struct cube3 *cube)
{
    uint32_t part = cube3_product_part(product, a, cube);
    return cube3_product_join(product, a, cube, product->class_of[part]);
}

#endif
