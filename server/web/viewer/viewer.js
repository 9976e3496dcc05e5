// The entry of the bundle: all that the page needs of cubing.
export { TwistyPlayer } from "cubing/twisty";
