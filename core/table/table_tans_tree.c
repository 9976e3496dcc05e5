/*
 * table_tans_tree.c - the tree of words of the `tans` encoding (W. Tunstall, 1967): always the most
 * probable word is made longer, so that all words come to be about equally probable.
 */
#include <string.h>

#include "core/table/table_tans_int.h"

/* Puts a word where `link` is. */
static void set_word(struct table__tree *tree, unsigned word, unsigned link, double weight)
{
    tree->link[link] = (uint16_t)(TABLE__TREE_WORD | word);
    tree->parent[word] = (uint16_t)link;
    tree->weight[word] = weight;
}

void table__tree_init(struct table__tree *tree, const double *probability, unsigned n_letters)
{
    tree->n_letters = tree->n_words = tree->n_links = n_letters;
    for (unsigned i = 0; i < n_letters; i++) {
        set_word(tree, i, i, probability[i]);
        tree->length[i] = 1;
        tree->letter[i][0] = (uint8_t)i;
    }
}

static bool find_growable(const struct table__tree *tree, unsigned *out)
{
    double most = -1;
    for (unsigned word = 0; word < tree->n_words; word++)
        if (tree->weight[word] > most && tree->length[word] < TABLE_TANS_WORD) {
            most = tree->weight[word];
            *out = word;
        }
    return most >= 0;
}

/* The word itself becomes its first continuation, the others are added at the end. */
bool table__tree_grow(struct table__tree *tree, const double *probability)
{
    unsigned old = 0, links = tree->n_links;
    if (tree->n_words + tree->n_letters - 1 > ANS_MAX_SYMBOLS ||
        links + tree->n_letters > TABLE__TREE_LINKS || !find_growable(tree, &old))
        return false;

    double weight = tree->weight[old];
    unsigned length = tree->length[old]++;
    tree->link[tree->parent[old]] = (uint16_t)links;
    tree->n_links += tree->n_letters;
    for (unsigned i = 0; i < tree->n_letters; i++) {
        unsigned word = i == 0 ? old : tree->n_words++;
        set_word(tree, word, links + i, weight * probability[i]);
        tree->length[word] = (uint8_t)(length + 1);
        memcpy(tree->letter[word], tree->letter[old], length);
        tree->letter[word][length] = (uint8_t)i;
    }
    return true;
}
