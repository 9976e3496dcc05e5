// help.js - what a newcomer needs to know, on one screen.
import { h, replace } from "./dom.js";
import { ring } from "./glyph.js";

const term = (picture, name, ...text) => h("div", { class: "term" }, h("dt", {}, picture, name), h("dd", {}, text));

export function helpView(main) {
  replace(main, h("header", { class: "view-head" }, h("h1", {}, "Cycle structures"),
    h("p", { class: "lede" }, "What an algorithm does to the pieces, whichever pieces they are.")),
    h("div", { class: "card prose" },
      h("p", {}, "An algorithm moves the pieces of each orbit – corners, edges – in cycles: this one to where that one was, that one to the next, and the last back to the first. A ", h("strong", {}, "cycle structure"), " lists the lengths of these cycles."),
      h("dl", { class: "terms" },
        term(ring(5, false, 1), "5", "A cycle of five pieces. Repeat the algorithm five times, and they are back as they were."),
        term(ring(5, true, 0), "5+", "The same, but on the way round the pieces also twist or flip: after five times they are home and still turned."),
        term(ring(1, true, 0), "1+", "One piece that stays and turns in place."),
        term(ring(1, false, 2), "not listed", "A piece that is not listed stays untouched.")),
      h("p", {}, "The ", h("strong", {}, "order"), " is how often the algorithm must be repeated until everything is as before. In a computer made of puzzles, cycles are registers: their order is the size of the number that they hold, and the algorithm that advances them is “add 1”. This service finds the shortest one."),
      h("p", {}, "Some structures no algorithm has: an odd number of swaps in one orbit needs an odd number in the other, and twists must add up. The composer says which rule is broken while you type."),
      h("p", {}, "A search proves lengths impossible one by one – the ", h("strong", {}, "lower bound"), " rises – until a solution of the next length is found. ", h("strong", {}, "Rank"), " estimates how hard a solution is for the hands; smaller is easier."),
      h("a", { class: "button", href: "#/" }, "Compose a target")));
}
