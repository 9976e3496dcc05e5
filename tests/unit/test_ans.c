/*
 * test_ans.c - the entropy coder: frequencies, tables, and messages there and back.
 */
#include <check.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/ans/ans.h"
#include "core/base/base_err.h"
#include "tests/support/support_expect.h"
#include "tests/support/support_random.h"
#include "tests/support/support_suite.h"

enum { MESSAGE = 20000 };

/* Shapes of random weights, from flat to one symbol far ahead of all others. */
static void random_weights(struct support_random *random, unsigned n, double *weight)
{
    double power = support_random_below(random, 13) * 0.5;
    for (unsigned i = 0; i < n; i++)
        weight[i] = pow((support_random_below(random, 1000) + 1) / 1000.0, power);
}

static unsigned random_log(struct support_random *random, unsigned n)
{
    unsigned log = ANS_MIN_LOG + support_random_below(random, ANS_MAX_LOG - ANS_MIN_LOG + 1);
    while (1u << log < n)
        log++;
    return log;
}

/* A model to test with; every call another one. */
struct model {
    unsigned n, log;
    double weight[ANS_MAX_SYMBOLS];
    uint16_t freq[ANS_MAX_SYMBOLS];
};

static void next_model(struct support_random *random, struct model *model)
{
    static const unsigned sizes[] = {1, 2, 3, 5, 12, 40, 200, ANS_MAX_SYMBOLS};
    model->n = sizes[support_random_below(random, 8)];
    model->log = random_log(random, model->n);
    random_weights(random, model->n, model->weight);
    ck_assert_int_eq(ans_normalise(model->weight, model->n, model->log, model->freq), 0);
}

/* ---- frequencies ------------------------------------------------------------------------- */

static double length(const struct model *model)
{
    double bits = 0;
    for (unsigned i = 0; i < model->n; i++)
        bits += model->weight[i] * ans_cost(model->freq[i], model->log);
    return bits;
}

/* No state moved from one symbol to another makes the message shorter. */
static void expect_optimal(struct model *model)
{
    double best = length(model);
    for (unsigned i = 0; i < model->n; i++)
        for (unsigned k = 0; k < model->n; k++) {
            if (i == k || model->freq[i] == 1)
                continue;
            model->freq[i]--;
            model->freq[k]++;
            SUPPORT_EXPECT(length(model) >= best * (1 - 1e-12));
            model->freq[i]++;
            model->freq[k]--;
        }
}

START_TEST(frequencies_are_the_best_there_are)
{
    struct support_random random = {1};
    struct model model;
    for (unsigned round = 0; round < 200; round++) {
        unsigned sum = 0;
        next_model(&random, &model);
        for (unsigned i = 0; i < model.n; i++) {
            ck_assert_uint_ge(model.freq[i], 1);
            sum += model.freq[i];
        }
        ck_assert_uint_eq(sum, 1u << model.log);
        if (model.n <= 40)
            expect_optimal(&model);
    }
}
END_TEST

START_TEST(a_weight_of_zero_still_gets_a_state)
{
    const double weight[] = {0, 5, 0, 1e-30};
    uint16_t freq[4];
    ck_assert_int_eq(ans_normalise(weight, 4, 6, freq), 0);
    ck_assert_uint_eq(freq[0], 1);
    ck_assert_uint_eq(freq[1], 61);
    ck_assert_uint_eq(freq[2], 1);
    ck_assert_uint_eq(freq[3], 1);
}
END_TEST

START_TEST(what_cannot_be_is_refused)
{
    double weight[ANS_MAX_SYMBOLS + 1];
    uint16_t freq[ANS_MAX_SYMBOLS + 1] = {0};
    struct ans_cell cell[ANS_MAX_STATES];
    static struct ans_encoder encoder;
    for (unsigned i = 0; i <= ANS_MAX_SYMBOLS; i++)
        weight[i] = 1;

    ck_assert_int_eq(ans_normalise(weight, 33, 5, freq), BASE_ERR_RANGE);
    ck_assert_int_eq(ans_normalise(weight, 32, 5, freq), 0);
    ck_assert_int_eq(ans_normalise(weight, 0, 5, freq), BASE_ERR_RANGE);
    ck_assert_int_eq(ans_normalise(weight, 2, ANS_MIN_LOG - 1, freq), BASE_ERR_RANGE);
    ck_assert_int_eq(ans_normalise(weight, 2, ANS_MAX_LOG + 1, freq), BASE_ERR_RANGE);
    ck_assert_int_eq(ans_normalise(weight, ANS_MAX_SYMBOLS + 1, 10, freq), BASE_ERR_RANGE);

    static const uint16_t wrong[][3] = {{16, 15, 0}, {16, 15, 2}, {16, 14, 1}, {40, 1, 1}};
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_int_eq(ans_decoder_init(cell, wrong[i], 3, 5), BASE_ERR_CORRUPT);
        ck_assert_int_eq(ans_encoder_init(&encoder, wrong[i], 3, 5), BASE_ERR_CORRUPT);
    }
    static const uint16_t right[] = {16, 15, 1};
    ck_assert_int_eq(ans_decoder_init(cell, right, 3, 5), 0);
    ck_assert_int_eq(ans_decoder_init(cell, right, 3, 6), BASE_ERR_CORRUPT);
    ck_assert_int_eq(ans_decoder_init(cell, right, 3, 4), BASE_ERR_CORRUPT);
    ck_assert_int_eq(ans_decoder_init(cell, right, 0, 5), BASE_ERR_CORRUPT);
}
END_TEST

/* ---- tables ------------------------------------------------------------------------------ */

/* From the states of a symbol every state can be reached, in one way: what makes the coder
 * reversible. */
START_TEST(the_states_of_a_symbol_lead_everywhere_once)
{
    struct support_random random = {2};
    struct model model;
    struct ans_cell cell[ANS_MAX_STATES];
    for (unsigned round = 0; round < 100; round++) {
        next_model(&random, &model);
        ck_assert_int_eq(ans_decoder_init(cell, model.freq, model.n, model.log), 0);
        for (unsigned symbol = 0; symbol < model.n; symbol++) {
            uint8_t reached[ANS_MAX_STATES] = {0};
            unsigned states = 0;
            for (unsigned s = 0; s < 1u << model.log; s++) {
                if (cell[s].symbol != symbol)
                    continue;
                states++;
                SUPPORT_EXPECT(cell[s].next + (1u << cell[s].bits) <= 1u << model.log);
                for (unsigned b = 0; b < 1u << cell[s].bits; b++)
                    SUPPORT_EXPECT(reached[cell[s].next + b]++ == 0);
            }
            ck_assert_uint_eq(states, model.freq[symbol]);
            for (unsigned s = 0; s < 1u << model.log; s++)
                SUPPORT_EXPECT(reached[s] == 1);
        }
    }
}
END_TEST

/* ---- messages ---------------------------------------------------------------------------- */

struct message {
    uint8_t symbol[MESSAGE];
    uint16_t value[MESSAGE];
    uint8_t bits[MESSAGE]; /* between a symbol and the next */
    unsigned first_state;
    uint64_t length;
};

static void random_message(struct support_random *random, const struct model *model,
                           struct message *message)
{
    double total = 0;
    for (unsigned i = 0; i < model->n; i++)
        total += model->weight[i];
    for (unsigned k = 0; k < MESSAGE; k++) {
        double at = support_random_below(random, 1u << 30) / (double)(1u << 30) * total;
        unsigned symbol = 0;
        while (symbol < model->n - 1 && at >= model->weight[symbol])
            at -= model->weight[symbol++];
        message->symbol[k] = (uint8_t)symbol;
    }
}

static void encode(const struct ans_encoder *encoder, struct message *message)
{
    unsigned state = ans_encode_last(encoder, message->symbol[MESSAGE - 1]);
    message->length = encoder->log;
    for (unsigned k = MESSAGE - 1; k-- > 0;) {
        unsigned value, bits;
        state = ans_encode(encoder, state, message->symbol[k], &value, &bits);
        SUPPORT_EXPECT(value < 1u << bits);
        message->value[k] = (uint16_t)value;
        message->bits[k] = (uint8_t)bits;
        message->length += bits;
    }
    message->first_state = state;
}

static void expect_decoded(const struct ans_cell *cell, const struct message *message)
{
    unsigned state = message->first_state;
    for (unsigned k = 0; k < MESSAGE; k++) {
        SUPPORT_EXPECT(cell[state].symbol == message->symbol[k]);
        if (k == MESSAGE - 1)
            break;
        SUPPORT_EXPECT(cell[state].bits == message->bits[k]);
        state = cell[state].next + message->value[k];
    }
}

/* What the message takes if its symbols cost what their frequencies promise. */
static double promised(const struct model *model, const struct message *message)
{
    double bits = 0;
    for (unsigned k = 0; k < MESSAGE; k++)
        bits += ans_cost(model->freq[message->symbol[k]], model->log);
    return bits;
}

START_TEST(messages_come_back_and_are_as_short_as_promised)
{
    struct support_random random = {3};
    struct model model;
    struct ans_cell cell[ANS_MAX_STATES];
    static struct ans_encoder encoder;
    static struct message message;
    for (unsigned round = 0; round < 100; round++) {
        next_model(&random, &model);
        ck_assert_int_eq(ans_decoder_init(cell, model.freq, model.n, model.log), 0);
        ck_assert_int_eq(ans_encoder_init(&encoder, model.freq, model.n, model.log), 0);
        random_message(&random, &model, &message);
        encode(&encoder, &message);
        expect_decoded(cell, &message);
        /* Few states for many symbols cost some bits in a thousand. */
        double slack = model.n > 1u << (model.log - 2) ? 0.03 : 0.01;
        ck_assert_double_le((double)message.length,
                            promised(&model, &message) * (1 + slack) + 2 * model.log);
    }
}
END_TEST

START_TEST(the_last_symbol_costs_nothing)
{
    static const uint16_t freq[] = {30, 1, 1};
    struct ans_cell cell[32];
    static struct ans_encoder encoder;
    ck_assert_int_eq(ans_decoder_init(cell, freq, 3, 5), 0);
    ck_assert_int_eq(ans_encoder_init(&encoder, freq, 3, 5), 0);
    for (unsigned symbol = 0; symbol < 3; symbol++) {
        unsigned state = ans_encode_last(&encoder, symbol);
        ck_assert_uint_eq(cell[state].symbol, symbol);
        for (unsigned s = 0; s < state; s++)
            ck_assert_uint_ne(cell[s].symbol, symbol);
    }
}
END_TEST

int main(void)
{
    const TTest *tests[] = {
        frequencies_are_the_best_there_are,
        a_weight_of_zero_still_gets_a_state,
        what_cannot_be_is_refused,
        the_states_of_a_symbol_lead_everywhere_once,
        messages_come_back_and_are_as_short_as_promised,
        the_last_symbol_costs_nothing,
    };

    return support_suite_run("ans", tests, sizeof tests / sizeof tests[0], NULL, NULL, 60);
}
