// The drawings of things: layers in a square from 0 to 64, each filled with one of the thing's colours.

/** @typedef {"main" | "shade" | "light" | "accent" | "green" | "line"} Color `line` is a stroke without a fill. */
/**
 * `words` match names of the thing. A neutral drawing is also used for things without a drawing.
 *
 * @typedef {{words: RegExp, isNeutral?: boolean, layers: [Color, string][]}} Drawing
 */

const DOT = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ radius) =>
  `M${x} ${y - radius}a${radius} ${radius} 0 1 0 .1 0Z`;

/** @type {Drawing[]} */
export const DRAWINGS = [
  {
    words: /\bkeys?\b|schlüssel/,
    layers: [
      ["shade", "M30 26 56 52l-6 6-5-5-5 5-6-6 5-5-15-15Z"],
      ["main", "M22 6a16 16 0 1 0 .1 0ZM22 15a7 7 0 1 1-.1 0Z"],
    ],
  },
  {
    words: /\bhats?\b|hut\b|\bcap\b|mütze|wizard|zauber/,
    layers: [
      ["main", "M17 46 21 12q11 5 22 0l4 34Z"],
      ["accent", "M18.400 34q13.600 5 27.200 0l1.400 11q-15 5-30 0Z"],
      ["shade", "M4 46q28 9 56 0 2 6-5 9-23 6-46 0-7-3-5-9Z"],
    ],
  },
  {
    words: /scarf|scarves|schal\b|blanket|decke/,
    layers: [
      ["shade", "M34 26 48 24l6 32-15 3Z"],
      ["accent", "m36 37 14.500-2.500 1.500 8-14.500 2.500Z"],
      ["main", "M10 18q22-14 44 0 4 9-3 14-19 9-38 0-7-5-3-14Z"],
      ["line", "M18 22q14 8 28 0"],
    ],
  },
  {
    words: /acorn|eichel|\bnuts?\b|nuss|nüsse|seed|samen/,
    layers: [
      ["line", "M32 14q0-7 6-9"],
      ["main", "M13 28q0 24 19 32 19-8 19-32Z"],
      ["shade", "M9 29q1-17 23-17t23 17q-23 7-46 0Z"],
      ["light", "M21 36q1 8 6 13-1-7-1-13Z"],
    ],
  },
  {
    words: /cookie|keks|biscuit|snack|treat|leckerli|cake|kuchen/,
    layers: [
      ["main", "M32 7a25 25 0 1 0 25 26q-8 0-9-7-8 1-9-8-6-3-7-11Z"],
      ["shade", [DOT(22, 24, 3.5), DOT(20, 42, 3.5), DOT(36, 47, 4), DOT(34, 31, 3), DOT(47, 40, 2.5)].join("")],
      ["accent", [DOT(50, 14, 3), DOT(57, 22, 2)].join("")],
    ],
  },
  {
    words: /gift|present|geschenk|\bbox\b|kiste|chest|truhe|surprise|überraschung/,
    isNeutral: true,
    layers: [
      ["main", "M10 30h44v27q0 2-2 2H12q-2 0-2-2Z"],
      ["shade", "M6 20h52v12H6Z"],
      ["accent", "M27 20h10v39H27Z"],
      ["accent", "M32 20C28 4 10 6 14 16q3 5 18 4 15 1 18-4C54 6 36 4 32 20Z"],
    ],
  },
  {
    words: /potion|trank|elixir|flask|flasche|bottle|water|wasser|drink|hydrat/,
    layers: [
      ["light", "M25 10h14v14l13 22q5 12-7 13H19q-12-1-7-13l13-22Z"],
      ["main", "M18 38q7-4 14 0t14 0l6 9q4 11-7 12H19q-11-1-7-12Z"],
      ["accent", "M23 5h18v8H23Z"],
      ["light", [DOT(26, 48, 3), DOT(37, 51, 2), DOT(34, 44, 1.5)].join("")],
    ],
  },
  {
    words: /crown|krone|king|könig|queen|\bvip\b/,
    isNeutral: true,
    layers: [
      ["main", "M8 50 5 20 20 32 32 12 44 32 59 20 56 50Z"],
      ["shade", "M8 46h48v10H8Z"],
      ["accent", [DOT(5, 17, 4), DOT(32, 9, 4.5), DOT(59, 17, 4), DOT(32, 51, 3)].join("")],
    ],
  },
  {
    words: /\bstars?\b|stern|medal|medaille|trophy|pokal|award/,
    isNeutral: true,
    layers: [
      ["main", "m32 5 8 18 20 2-15 13 5 20-18-11-18 11 5-20L4 25l20-2Z"],
      ["light", "m32 16 4 11 11 1-8 7Z"],
    ],
  },
  {
    words: /\bgems?\b|diamond|diamant|juwel|jewel|crystal|kristall|edelstein/,
    isNeutral: true,
    layers: [
      ["main", "M18 10h28l14 17-28 30L4 27Z"],
      ["shade", "M4 27h56L32 57Z"],
      ["light", "M22 27 32 10l10 17-10 30Z"],
    ],
  },
  {
    words: /umbrella|schirm|parasol/,
    layers: [
      ["line", "M32 32v20q0 7 7 7t7-6"],
      ["main", "M5 35C5 3 59 3 59 35q-7-6-13.500 0-6.500-6-13.500 0-7-6-13.500 0-6.500-6-13.500 0Z"],
      ["accent", "M18.500 35C19 17 27 11 32 11s13 6 13.500 24q-6.500-6-13.500 0-7-6-13.500 0Z"],
    ],
  },
  {
    words: /book|buch|story|geschichte|spell|scroll/,
    layers: [
      ["main", "M16 6h34q4 0 4 4v48H17q-7 0-7-7V13q0-7 6-7Z"],
      ["light", "M17 46h37v9H17q-4.500 0-4.500-4.500T17 46Z"],
      ["accent", "m32 14 4 8 8 1-6 6 1 8-7-4-7 4 1-8-6-6 8-1Z"],
    ],
  },
  {
    words: /sword|schwert|blade|klinge|knife|weapon|waffe|attack|angriff/,
    layers: [
      ["light", "M45 5h14v14L30 48 16 34Z"],
      ["shade", "M15 43l6 6-11 11-6-6Z"],
      ["main", "M12 32 32 52l-6 5L7 38Z"],
      ["accent", DOT(6, 58, 5)],
    ],
  },
  {
    words: /mushroom|pilz|fungus/,
    layers: [
      ["light", "M23 34q-1 14-6 24h30q-5-10-6-24Z"],
      ["main", "M5 37C5 7 59 7 59 37q-27 7-54 0Z"],
      ["accent", [DOT(22, 25, 5), DOT(40, 20, 4), DOT(46, 31, 3.5), DOT(30, 33, 3)].join("")],
    ],
  },
  {
    words: /flower|blume|\brose|tulip|tulpe|plant|pflanze|garden|garten|leaf|blatt/,
    layers: [
      ["line", "M32 36v25"],
      ["green", "M32 56q2-12 16-12 0 12-16 12Z"],
      ["main", [[32, 11], [44, 19], [40, 33], [24, 33], [20, 19]].map(([x, y]) => DOT(x, y, 9)).join("")],
      ["accent", DOT(32, 23, 7)],
    ],
  },
  {
    words: /\bmug\b|\bcup\b|tasse|coffee|kaffee|\btea\b|\btee\b|cocoa|kakao/,
    layers: [
      ["line", "M46 28h4q8 0 8 8t-8 8h-4M20 14q-4-4 0-9M31 14q-4-4 0-9"],
      ["main", "M10 20h37v29q0 9-9 9H19q-9 0-9-9Z"],
      ["shade", "M10 20h37v7H10Z"],
      ["accent", "M28 50c-12-7-8-14-4-14 2 0 4 2 4 4 0-2 2-4 4-4 4 0 8 7-4 14Z"],
    ],
  },
  {
    words: /\bball|sport|football|fußball|toy|spielzeug/,
    layers: [
      ["main", DOT(32, 32, 26)],
      ["accent", "M7 26q25-14 50 0 2 6 0 12-25-14-50 0-2-6 0-12Z"],
      ["light", "M14 20q6-10 16-10-8 4-12 12Z"],
    ],
  },
  {
    words: /\bmaps?\b|landkarte|schatzkarte/,
    layers: [
      ["light", "M5 14l18-6 18 6 18-6v42l-18 6-18-6-18 6Z"],
      ["main", "M23 8l18 6v42l-18-6Z"],
      ["line", "M12 40q8-14 18-8t20-10"],
      ["accent", "M46 16l3-3 4 4 4-4 3 3-4 4 4 4-3 3-4-4-4 4-3-3 4-4Z"],
    ],
  },
  {
    words: /\bcoins?\b|münze|taler|money|geld|\bpoints?\b|punkte/,
    layers: [
      ["shade", DOT(34, 34, 25)],
      ["main", DOT(31, 30, 25)],
      ["shade", "M31 11a19 19 0 1 0 .1 0ZM31 14a16 16 0 1 1-.1 0Z"],
      ["light", "m31 19 3.500 7 8 1-6 5 2 8-7.500-4-7.500 4 2-8-6-5 8-1Z"],
    ],
  },
  {
    words: /\blights?\b|\blicht|lamp|candle|kerze|colou?r|farbe/,
    layers: [
      ["shade", "M24 48h16v9q0 3-3 3H27q-3 0-3-3Z"],
      ["main", "M32 5a21 21 0 0 0-13 37q4 3 5 7h16q1-4 5-7A21 21 0 0 0 32 5Z"],
      ["line", "M25 30q7 7 14 0M32 33v15"],
      ["light", "M18 27q0-13 12-15-7 5-8 15Z"],
    ],
  },
  {
    words: /ticket|karte|\bcard\b|\bpass\b|coupon|gutschein|vote|abstimm/,
    isNeutral: true,
    layers: [
      ["main", "M5 17h54v10a5.500 5.500 0 0 0 0 11v10H5V38a5.500 5.500 0 0 0 0-11Z"],
      ["accent", "m38 22 3 7 8 .6-6 5 2 7.400-7-4-7 4 2-7.400-6-5 8-.6Z"],
      ["line", "M18 20v4m0 5v4m0 5v4"],
    ],
  },
  {
    words: /song|music|musik|\blied|sound|dance|tanz|sing|playlist/,
    layers: [
      ["main", "M22 46V15l32-8v33h-7V22l-18 5v19Z"],
      ["shade", DOT(19, 48, 10)],
      ["accent", DOT(44, 42, 10)],
    ],
  },
  {
    words: /game|\bplay|round|spiel|runde|match|level|boss|controller|challenge/,
    layers: [
      ["main", "M18 17h28q13 0 15 24 1 13-8 13-6 0-11-11H22Q17 54 11 54q-9 0-8-13 2-24 15-24Z"],
      ["light", "M17 24h6v5h5v6h-5v5h-6v-5h-5v-6h5Z"],
      ["accent", [DOT(48, 26, 3.5), DOT(41, 33, 3.5)].join("")],
    ],
  },
  {
    words: /heart|herz|love|liebe|hug|umarmung|kiss|kuss/,
    layers: [
      ["main", "M32 58C2 38 4 8 20 8c7 0 11 5 12 10C33 13 37 8 44 8c16 0 18 30-12 50Z"],
      ["light", "M13 26q0-10 8-11-4 4-4 12Z"],
    ],
  },
  {
    words: /message|nachricht|\bsay\b|\bask\b|question|frage|shout|greet|gruß|\btts\b|read|vorlesen|advice|\brat\b/,
    layers: [
      ["main", "M10 8h44q6 0 6 6v24q0 6-6 6H32L17 59V44h-7q-6 0-6-6V14q0-6 6-6Z"],
      ["light", [DOT(19, 26, 4), DOT(32, 26, 4), DOT(45, 26, 4)].join("")],
    ],
  },
  {
    words: /shirt|hoodie|pullover|merch|jacket|jacke|costume|kostüm|outfit/,
    layers: [
      ["main", "M21 7 4 18l7 14 7-4v30h28V28l7 4 7-14L43 7q-11 9-22 0Z"],
      ["accent", "M18 36h28v9H18Z"],
      ["line", "M23 9q9 10 18 0"],
    ],
  },
  {
    words: /apple|apfel|fruit|obst|berry|beere|food|essen|pizza|banana|banane/,
    layers: [
      ["main", "M32 19q-22-10-26 12-1 20 16 28 5 2 10-1 5 3 10 1 17-8 16-28-4-22-26-12Z"],
      ["line", "M32 19q0-9-4-13"],
      ["green", "M33 13q4-10 15-9-2 11-15 9Z"],
      ["light", "M13 33q0-9 8-10-4 4-4 11Z"],
    ],
  },
];
