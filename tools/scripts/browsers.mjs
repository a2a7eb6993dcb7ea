// Find what a script or a style uses that the oldest supported browsers do not have.
//
// `node tools/scripts/browsers.mjs FILES` looks every name up in MDN's browser-compat-data. The oldest
// versions are in browsers.json, which docs/browsers.md explains. Something newer is allowed:
// - in a style, after a declaration of the same property in the same rule, within `@supports`, or where the
//   same file has a `@supports not (property: …)`;
// - in a script, after `?.`;
// - anywhere, if browsers.json lists it as decoration, with what is missing without it;
// - anywhere, next to a comment that names the version from which the fallback is needless: "Chromium 105".
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as espree from "espree";
import postcss from "postcss";
import selectorParser from "postcss-selector-parser";

const bcd = createRequire(import.meta.url)("@mdn/browser-compat-data");
const { oldest: OLDEST, decoration: DECORATION } = JSON.parse(
  readFileSync(new URL("browsers.json", import.meta.url), "utf8"),
);
const EXPLAINED = /\b(Chromium|Safari|Firefox) \d|\bWebView\b/;

/** Units, and syntax of scripts, by what MDN calls them. */
const UNITS = new Map([
  [/\b\d[\d.]*(dv|sv|lv)(h|w|i|b|min|max)\b/, "css.types.length.viewport_percentage_units_dynamic"],
  [/\b\d[\d.]*cq(w|h|i|b|min|max)\b/, "css.types.length.container_query_length_units"],
]);
const SYNTAX = {
  StaticBlock: "javascript.classes.static.initialization_blocks",
  PropertyDefinition: "javascript.classes.public_class_fields",
  PrivateIdentifier: "javascript.classes.private_class_methods",
  ChainExpression: "javascript.operators.optional_chaining",
  ImportExpression: "javascript.operators.import",
};

const found = path => path.split(".").reduce((at, step) => at?.[step], bcd)?.__compat;

/** Return the browsers that lack this feature, as "Safari 16.4"; none if all supported ones have it. */
export function lacking(compat) {
  if (!compat) return [];
  return Object.entries(OLDEST).flatMap(([browser, oldest]) => {
    const known = compat.support[browser];
    if (!known) return [];
    const since = [known]
      .flat()
      .filter(one => !one.flags && !one.prefix && !one.alternative_name && one.version_added)
      .filter(one => !one.version_removed || parseFloat(one.version_removed) > oldest)
      .map(one => parseFloat(String(one.version_added).replace("≤", "")))
      .filter(Number.isFinite);
    const first = Math.min(...since);
    return first <= oldest
      ? []
      : [`${bcd.browsers[browser].name} ${Number.isFinite(first) ? first : "in no version"}`];
  });
}

/** Every member of every interface and object, by its name: `toSorted` is one of Array and of TypedArray. */
function members() {
  const all = new Map();
  const add = (name, compat) => all.set(name, [...(all.get(name) ?? []), compat]);
  for (const root of [bcd.api, bcd.javascript.builtins, bcd.javascript.builtins.Intl]) {
    for (const owner of Object.values(root)) {
      for (const [name, feature] of Object.entries(owner)) {
        const plain = name.replace(/_(static|event)$/, "");
        if (feature.__compat && name !== "__compat" && !name.endsWith("_event")) add(plain, feature.__compat);
      }
    }
  }
  return all;
}
const MEMBERS = members();
const GLOBALS = { ...bcd.javascript.builtins, ...bcd.api };

/** Return what is lacking if no object has a member of this name in all supported browsers. */
function memberLacks(name) {
  const all = MEMBERS.get(name) ?? [];
  return all.length && all.every(compat => lacking(compat).length) ? lacking(all[0]) : [];
}

const camel = name => name.replace(/-([a-z])/g, (_, letter) => letter.toUpperCase());
const STYLES = new Map(Object.entries(bcd.css.properties).map(([name, of]) => [camel(name), of.__compat]));

/** Return whether a script asks here if the browser has it: `?.`, `!it`, `if (it)`, `it && …`. */
const isAsked = (node, parent) =>
  node.optional ||
  parent?.optional ||
  /^(Unary|Logical)Expression$/.test(parent?.type ?? "") ||
  parent?.test === node;

/** Yield every node of a syntax tree with its parent. */
function* nodes(node, parent = null) {
  if (!node || typeof node.type !== "string") return;
  yield [node, parent];
  for (const [key, value] of Object.entries(node)) {
    if (key === "parent") continue;
    for (const one of [value].flat()) if (one && typeof one === "object") yield* nodes(one, node);
  }
}

/** Names that mean something else to the browsers that lack it: in a flex box, `end` is `flex-end` there. */
const HARMLESS = /^((align|justify|place)-(content|items|self)|cursor)$/;

/** Return the names of members that these scripts and declarations define by themselves. */
function defined(texts) {
  const definitions = /\b(\w+)\??(?=:|\(.*\{$)|(?<=this\.|export const |export function )(\w+)/gm;
  return new Set(texts.flatMap(text => [...text.matchAll(definitions)].map(([, a, b]) => a ?? b)));
}

/** What only scripts have, each as a function that returns [what, browsers] or nothing for a node. */
const USES = {
  AwaitExpression: (_, __, { isOutside }) =>
    isOutside && ["await outside of a function", lacking(found("javascript.operators.await.top_level"))],
  Literal: ({ regex }) =>
    regex &&
    /\(\?<[=!]/.test(regex.pattern) && [
      "a lookbehind",
      lacking(found("javascript.regular_expressions.lookbehind_assertion")),
    ],
  MemberExpression: (node, parent, { own }) => {
    const { name } = node.property;
    const of = node.object.property?.name;
    if (node.computed || isAsked(node, parent) || of === "dataset") return null;
    if (of === "style") return [`style.${name}`, lacking(STYLES.get(name))];
    return own.has(name) ? null : [`.${name}`, memberLacks(name)];
  },
  Identifier: ({ name }, parent, { declared }) => {
    if (!GLOBALS[name] || declared.has(name)) return null;
    const isUsed =
      /^(New|Call)Expression$/.test(parent?.type ?? "") ||
      (parent?.type === "MemberExpression" && parent.object.name === name);
    return isUsed ? [name, lacking(GLOBALS[name].__compat)] : null;
  },
};
for (const [type, feature] of Object.entries(SYNTAX)) USES[type] = () => [type, lacking(found(feature))];

/** Return the nodes that are in a function. */
function inFunctions(all) {
  const inside = new Set();
  for (const [node, parent] of all) {
    if (/Function/.test(node.type) || inside.has(parent)) inside.add(node);
  }
  return inside;
}

/** Return the lines next to which a comment names a version. */
const explainedLines = comments =>
  new Set(
    comments
      .filter(one => EXPLAINED.test(one.value))
      .flatMap(({ loc }) => [loc.start.line, loc.end.line, loc.end.line + 1]),
  );

/** Return the names that a script declares or imports. */
const declaredIn = all =>
  new Set(
    all.flatMap(([node, parent]) =>
      node.type === "Identifier" && /Declarator|Specifier|Function|Class|Catch/.test(parent?.type ?? "")
        ? [node.name]
        : [],
    ),
  );

/** Yield [line, what, browsers] for a script; `own` are names of members that are no browser's. */
export function* ofScript(text, own = defined([text])) {
  const tree = espree.parse(text, { ecmaVersion: "latest", sourceType: "module", loc: true, comment: true });
  const all = [...nodes(tree)];
  const [explained, declared, inside] = [explainedLines(tree.comments), declaredIn(all), inFunctions(all)];
  for (const [node, parent] of all) {
    const { line } = node.loc.start;
    const [what, lacks] =
      USES[node.type]?.(node, parent, { own, declared, isOutside: !inside.has(node) }) || [];
    if (lacks?.length && !explained.has(line) && !(what.replace("style.", "") in DECORATION)) {
      yield [line, what, lacks];
    }
  }
}

/** Yield [what, browsers] for a selector. */
function* ofSelector(selector) {
  const wrong = [];
  selectorParser(tree => {
    tree.walkPseudos(pseudo => {
      const lacks = lacking(bcd.css.selectors[pseudo.value.replace(/^:+/, "")]?.__compat);
      if (lacks.length) wrong.push([pseudo.value, lacks]);
      if (
        pseudo.value === ":not" &&
        (pseudo.nodes.length > 1 || pseudo.nodes.some(one => one.nodes.length > 1))
      ) {
        const more = lacking(found("css.selectors.not.selector_list"));
        if (more.length) wrong.push([String(pseudo), more]);
      }
    });
  }).processSync(selector);
  yield* wrong;
}

/** Return the compatibility of a function in a value, as `color-mix`. */
const functionOf = (of, name) =>
  [bcd.css.types.color, bcd.css.types, of].map(all => all?.[name]?.__compat).find(Boolean);

/** Yield [what, browsers] for the value of a property. */
function* ofValue(property, value) {
  if (HARMLESS.test(property)) return;
  const of = bcd.css.properties[property];
  const uses = [
    ...(value.match(/[a-z][a-z-]+(?![\w(-])/g) ?? []).map(word => [
      `${property}: ${word}`,
      (of?.[word] ?? of?.[word.replaceAll("-", "_")])?.__compat,
    ]),
    ...[...value.matchAll(/([a-z][a-z-]+)\(/g)].map(([, name]) => [`${name}()`, functionOf(of, name)]),
    ...[...UNITS]
      .filter(([unit]) => unit.test(value))
      .map(([unit, path]) => [value.match(unit)[0], found(path)]),
  ];
  for (const [what, compat] of uses) if (lacking(compat).length) yield [what, lacking(compat)];
}

/** Return whether a comment next to this node, or before its rule, explains it. */
function isExplained(node) {
  const near = [node.prev(), node.next(), node.parent?.type === "rule" ? node.parent.prev() : null];
  const inside = node.type === "rule" ? node.nodes : [];
  return [...near, ...inside].some(one => one?.type === "comment" && EXPLAINED.test(one.text));
}

const isGuarded = node => {
  for (let at = node; at; at = at.parent) {
    if (at.type === "atrule" && at.name === "supports") return true;
  }
  return false;
};

/** Yield [line, what, browsers] for a style. */
export function* ofStyle(text) {
  const wrong = [];
  const add = (node, list) => {
    if (isGuarded(node) || isExplained(node)) return;
    for (const [what, lacks] of list) {
      if (!(what.split(": ")[0] in DECORATION)) wrong.push([node.source.start.line, what, lacks]);
    }
  };
  const root = postcss.parse(text);
  const replaced = new Set();
  root.walkAtRules("supports", rule => {
    const without = rule.params.match(/^not \(([a-z-]+):/);
    if (without) replaced.add(without[1]);
  });
  root.walkRules(rule => add(rule, ofSelector(rule.selector)));
  root.walkAtRules(rule => {
    const of = bcd.css["at-rules"][rule.name];
    add(
      rule,
      [[`@${rule.name}`, lacking(of?.__compat)]].filter(([, lacks]) => lacks.length),
    );
    for (const [, name] of rule.params.matchAll(/\(([a-z-]+)/g)) {
      add(
        rule,
        [[`(${name})`, lacking(of?.[name]?.__compat)]].filter(([, lacks]) => lacks.length),
      );
    }
  });
  root.walkDecls(decl => {
    if (decl.prop.startsWith("--") || replaced.has(decl.prop)) return;
    const before = decl.parent.nodes.slice(0, decl.parent.index(decl));
    const lacks = lacking(bcd.css.properties[decl.prop]?.__compat);
    const instead = before.some(one => one.prop === decl.prop || one.prop === `-webkit-${decl.prop}`);
    if (lacks.length) {
      if (!instead) add(decl, [[decl.prop, lacks]]);
    } else if (!before.some(one => one.prop === decl.prop)) {
      add(decl, ofValue(decl.prop, decl.value));
    }
  });
  yield* wrong;
}

const files = process.argv.slice(2);
const texts = new Map(files.map(file => [file, readFileSync(file, "utf8")]));
const own = defined([...texts].flatMap(([file, text]) => (file.endsWith(".css") ? [] : [text])));
for (const [file, text] of texts) {
  if (file.endsWith(".d.ts")) continue;
  for (const [line, what, lacks] of file.endsWith(".css") ? ofStyle(text) : ofScript(text, own)) {
    console.log(`${file}:${line}: ${what} needs ${lacks.join(", ")}`);
    process.exitCode = 1;
  }
}
