// Searches a folder that `webstrata search publish` has written. No server is needed: a query reads the files that have
// its terms, and those of the pages that are shown.
//
//   import { Search } from "./search.js";
//   const search = await Search.open("./");
//   const { matched, answers } = await search.query("blue clay", 10);
//
// An element <div data-webstrata-search></div> becomes a search field with its answers.

// Letters of a snippet, and of these before the first marked word.
const LENGTH = 240, BEFORE = 60;
// Files that are read to complete a word.
const MOST_FILES = 3;
const DROPPED = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u2044\u00ad\u200b-\u200d\u2060\ufeff]/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = /[\p{L}\p{Nd}\p{M}]+/gu;

/** A text without case and accents. */
function folded(text) {
  return text.normalize("NFKD").toLowerCase().replace(DROPPED, "").replaceAll("ß", "ss").replaceAll("ς", "σ")
    .normalize("NFC");
}

/** The terms of a text: runs of letters and digits, and pairs of letters of scripts without spaces. */
export function terms(text) {
  const found = [];
  for (const [run] of folded(text).matchAll(WORD)) {
    let word = "", unspaced = [];
    const finish = () => {
      if (unspaced.length === 1) found.push(unspaced[0]);
      for (let i = 1; i < unspaced.length; i++) found.push(unspaced[i - 1] + unspaced[i]);
      unspaced = [];
    };
    for (const letter of run) {
      if (UNSPACED.test(letter)) {
        if (word) found.push(word);
        word = "";
        unspaced.push(letter);
      } else {
        finish();
        word += letter;
      }
    }
    if (word) found.push(word);
    finish();
  }
  return found;
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} cannot be read: ${answer.status}`);
  return answer.json();
}

export class Search {
  /** The index in a folder. */
  static async open(folder, read = fetched) {
    return new Search(folder, await read(`${folder}index.json`), read);
  }

  constructor(folder, about, read) {
    this.folder = folder;
    this.about = about;
    this.read = read;
    this.files = new Map();
  }

  file(name) {
    if (!this.files.has(name)) this.files.set(name, this.read(this.folder + name));
    return this.files.get(name);
  }

  /** The number of the file that has a term, if any file has it. */
  placeOf(term) {
    const { first } = this.about;
    let low = 0, high = first.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (first[middle] <= term) low = middle + 1;
      else high = middle;
    }
    return Math.max(low - 1, 0);
  }

  /** The postings of a term; for a word that may not be complete, those of the term that most pages have. */
  async postings(term, open) {
    const { first } = this.about;
    let place = this.placeOf(term), best = [];
    const known = await this.file(`terms/${place}.json`);
    if (Object.hasOwn(known, term)) return known[term];
    for (const last = open ? place + MOST_FILES : place; place < last && place < first.length; place++) {
      if (first[place] > term && !first[place].startsWith(term)) break;
      for (const [other, own] of Object.entries(await this.file(`terms/${place}.json`))) {
        if (other.startsWith(term) && own.length > best.length) best = own;
      }
    }
    return best;
  }

  /** The best pages of a query: each with url, title and snippet, a list of [text, whether it is marked]. */
  async query(text, most = 10) {
    const wanted = [...new Set(terms(text))].slice(0, 32);
    const open = wanted.length && /[\p{L}\p{Nd}]$/u.test(text) ? wanted.at(-1) : "";
    const scores = new Map();
    const lists = await Promise.all(wanted.map((term) => this.postings(term, term === open)));
    for (const list of lists) {
      let page = 0;
      for (let i = 0; i < list.length; i += 2) {
        page += list[i];
        scores.set(page, (scores.get(page) ?? 0) + list[i + 1]);
      }
    }
    const order = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, most);
    const answers = await Promise.all(order.map(async ([page, score]) => {
      const [url, title, body] = await this.file(`pages/${page}.json`);
      return { url, title, score, snippet: snippet(body, wanted, open) };
    }));
    return { matched: scores.size, answers };
  }
}

/** The part of a text with most terms of a query, in pieces. */
function snippet(text, wanted, open) {
  const known = new Set(wanted), marks = [];
  for (const match of text.matchAll(WORD)) {
    const own = terms(match[0]);
    if (own.some((term) => known.has(term) || (open && term.startsWith(open)))) {
      marks.push([match.index, match.index + match[0].length]);
    }
  }
  let start = 0, most = 0;
  for (let first = 0, last = 0; first < marks.length; first++) {
    const from = Math.max(marks[first][0] - BEFORE, 0);
    while (last < marks.length && marks[last][1] <= from + LENGTH) last++;
    if (last - first > most) [most, start] = [last - first, from];
  }
  if (start) start = Math.max(text.indexOf(" ", start), start);
  let stop = Math.min(start + LENGTH, text.length);
  if (stop < text.length) stop = Math.max(text.lastIndexOf(" ", stop), start + 1);
  const pieces = start ? [["… ", false]] : [];
  let at = start;
  for (const [first, last] of marks) {
    if (first < at || last > stop) continue;
    pieces.push([text.slice(at, first), false], [text.slice(first, last), true]);
    at = last;
  }
  pieces.push([text.slice(at, stop) + (stop < text.length ? " …" : ""), false]);
  return pieces;
}

/** The address of a link; none for addresses that run scripts. */
function safe(url) {
  try {
    return ["http:", "https:", "file:"].includes(new URL(url, document.baseURI).protocol) ? url : null;
  } catch {
    return null;
  }
}

function shown(answer) {
  const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("p");
  const address = safe(answer.url);
  if (address) link.href = address;
  link.textContent = answer.title || answer.url;
  for (const [piece, marked] of answer.snippet) {
    const part = marked ? document.createElement("mark") : document.createTextNode(piece);
    if (marked) part.textContent = piece;
    text.append(part);
  }
  item.append(link, text);
  return item;
}

/** Make an element a search field. */
export async function attach(element, folder) {
  const field = document.createElement("input"), state = document.createElement("p"), list = document.createElement("ol");
  field.type = "search";
  field.setAttribute("aria-label", "Search");
  state.setAttribute("role", "status");
  element.append(field, state, list);
  const search = Search.open(folder);
  let last = 0;
  field.addEventListener("input", async () => {
    const mine = ++last;
    try {
      const { matched, answers } = await (await search).query(field.value);
      if (mine !== last) return;
      list.replaceChildren(...answers.map(shown));
      state.textContent = field.value.trim() ? `${matched} ${matched === 1 ? "page" : "pages"}` : "";
    } catch (error) {
      state.textContent = `The search does not work: ${error.message}`;
    }
  });
}

if (typeof document !== "undefined") {
  for (const element of document.querySelectorAll("[data-webstrata-search]")) {
    attach(element, new URL("./", import.meta.url).href);
  }
}
