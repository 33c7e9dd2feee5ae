/** Pure: whether a text is in another language than English, in simple cases. */

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['Korean', /\p{Script=Hangul}/u],
  ['Chinese', /\p{Script=Han}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Ukrainian or Russian', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Hindi', /\p{Script=Devanagari}/u],
  ['Thai', /\p{Script=Thai}/u],
];

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Common words that English does not have. */
const WORDS: readonly (readonly [string, ReadonlySet<string>])[] = [
  [
    'German',
    words(
      'ich nicht das und ist kann meine mein meiner bitte danke hallo für eine einen wo wie geld zurück rückerstattung bestellung bekomme möchte habe guten tag ja nein wann wird paket auf mit',
    ),
  ],
  [
    'French',
    words(
      "je le la les une est pour ma mon commande bonjour merci puis où remboursement vous plaît s'il être remboursé veux quand mes oui non colis avec suis peux",
    ),
  ],
  [
    'Spanish',
    words(
      'el la mi pedido puedo hola gracias dónde donde está por favor una reembolso quiero para del sí cuándo paquete buenos días qué devolución',
    ),
  ],
  [
    'Italian',
    words('il mio ordine posso ciao grazie dove per favore rimborso vorrei della sono avere sì quando pacco buongiorno che un è'),
  ],
];
const ENGLISH = words(
  'a an the is are my i can get for order orders what where when how please refund you it to of and do does hello hi yes no me thanks about other ticket parcel',
);

/** Share of a text's letters that another script must have: an English question may quote a foreign word. */
const SCRIPT_SHARE = 0.4;

function languageByScript(text: string): string | null {
  const letters = text.match(/\p{L}/gu) ?? [];
  for (const [language, script] of SCRIPTS) {
    if (!letters.some((letter) => script.test(letter))) continue;
    const foreign = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter)).length;
    return foreign >= letters.length * SCRIPT_SHARE ? language : null;
  }
  return null;
}

/** The language's English name; null for English and for what cannot be told. */
export function foreignLanguage(text: string): string | null {
  const byScript = languageByScript(text);
  if (byScript !== null) return byScript;
  const found =
    text
      .normalize('NFC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}']+/gu) ?? [];
  const count = (list: ReadonlySet<string>): number => found.filter((word) => list.has(word)).length;
  const english = count(ENGLISH);
  const needed = found.length <= 3 ? 1 : 2;
  const best = WORDS.map(([language, list]) => ({ language, hits: count(list) })).reduce((left, right) =>
    right.hits > left.hits ? right : left,
  );
  return best.hits >= needed && best.hits > english ? best.language : null;
}
