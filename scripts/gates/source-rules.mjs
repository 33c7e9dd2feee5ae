// Pure: the rules about what source text may contain, over TypeScript syntax trees. scripts/gates/source.mjs reads the files.
import ts from 'typescript';

export const LONGEST_FILE_LINES = 450;

const PRODUCT = /^(electron|renderer|shared)\//;
const ENGINE = /^electron\/engine\//;
const WINDOW_HOST = /^electron\/hosts\/window\//;

/** Globals that make the engine depend on the world; their port is named in the message. */
const ENGINE_BANS = new Map([
  ['Date.now', 'time comes from the Clock port'],
  ['Math.random', 'randomness comes from the IdSource port'],
  ['performance.now', 'time comes from the Clock port'],
  ['process', 'the engine has no process: pass what it needs through EngineDeps'],
  ['globalThis.process', 'the engine has no process: pass what it needs through EngineDeps'],
  ['setTimeout', 'waiting goes through Clock.sleep or Clock.after'],
  ['setInterval', 'waiting goes through Clock.sleep or Clock.after'],
  ['setImmediate', 'waiting goes through Clock.sleep or Clock.after'],
  ['fetch', 'the engine reaches nothing outside: use a port'],
  ['crypto.randomUUID', 'randomness comes from the IdSource port'],
  ['crypto.getRandomValues', 'randomness comes from the IdSource port'],
]);

/** Window preferences that weaken the page's sandbox: name → the value that is refused (undefined: any). */
const UNSAFE_PREFERENCES = new Map([
  ['webSecurity', 'false'],
  ['sandbox', 'false'],
  ['contextIsolation', 'false'],
  ['nodeIntegration', 'true'],
  ['nodeIntegrationInWorker', 'true'],
  ['nodeIntegrationInSubFrames', 'true'],
  ['allowRunningInsecureContent', 'true'],
  ['experimentalFeatures', 'true'],
  ['enableBlinkFeatures', undefined],
  ['webviewTag', 'true'],
]);
const UNSAFE_SWITCHES =
  /^(--)?(disable-web-security|no-sandbox|remote-debugging-port|remote-debugging-pipe|ignore-certificate-errors)(=|$)/;
const WINDOW_CLASSES = new Set(['BrowserWindow', 'WebContentsView', 'BaseWindow', 'BrowserView']);
const OPENERS = new Set(['openExternal', 'openPath', 'showItemInFolder']);
const RAW_HTML = new Set(['innerHTML', 'outerHTML', 'srcdoc']);
const RAW_HTML_CALLS = new Set(['insertAdjacentHTML', 'createContextualFragment', 'setHTMLUnsafe']);
const SQL_CALLS = new Set(['query', 'execute']);
const ESCAPES = /(oxlint-disable|eslint-disable|biome-ignore|@ts-ignore|@ts-nocheck|v8 ignore)\b/;

/**
 * Findings about one file. `powers` are uses that only one file of the product may have (see `soleOwners`).
 * @param {string} file path from the project folder, with /
 * @param {string} text
 * @returns {{ findings: { line: number; rule: string; message: string }[]; powers: { power: string; line: number }[] }}
 */
export function checkSource(file, text) {
  const findings = checkText(file, text);
  const powers = [];
  if (/\.(ts|tsx|mjs|cjs)$/.test(file)) {
    const kind = file.endsWith('.tsx') ? ts.ScriptKind.TSX : file.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, kind);
    const lineOf = (node) => tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    const report = (node, rule, message) => findings.push({ line: lineOf(node), rule, message });
    const power = (node, name) => powers.push({ power: name, line: lineOf(node) });
    const visit = (node) => {
      for (const rule of RULES) if (rule.where.test(file)) rule.check(node, { file, report, power, tree });
      ts.forEachChild(node, visit);
    };
    visit(tree);
  }
  return { findings, powers };
}

/** Powers with more than one owner, or an owner in the wrong folder. */
export function soleOwners(uses) {
  const findings = [];
  const byPower = Map.groupBy(uses, (use) => use.power);
  for (const [power, list] of byPower) {
    const owners = [...new Set(list.map((use) => use.file))];
    for (const use of list) {
      if (!WINDOW_HOST.test(use.file)) {
        findings.push({ ...use, rule: 'one-wrapper', message: `${power} is used in its wrapper under electron/hosts/window/ only` });
      } else if (owners.length > 1) {
        findings.push({ ...use, rule: 'one-wrapper', message: `${power} belongs to one file; now used in ${owners.join(' and ')}` });
      }
    }
  }
  return findings;
}

function checkText(file, text) {
  const findings = [];
  const lines = text.split('\n');
  const length = text.endsWith('\n') ? lines.length - 1 : lines.length;
  const add = (line, rule, message) => findings.push({ line, rule, message });
  if (length > LONGEST_FILE_LINES) {
    add(LONGEST_FILE_LINES + 1, 'file-length', `${length} lines, at most ${LONGEST_FILE_LINES}: split it by what it does`);
  }
  const name = file.split('/').at(-1) ?? '';
  if (/^(utils?|helpers?|misc|common)\.[a-z.]+$/.test(name)) add(1, 'file-name', 'name a file by what it does');
  if (PRODUCT.test(file) && /\.(ts|tsx)$/.test(file) && !/^(\/\*\*|\/\/)/.test(text)) {
    add(1, 'first-line', 'the first line is a comment that says what the file is, and whether it is pure or does I/O');
  }
  if (/\.(ts|tsx|mjs|cjs)$/.test(file) && !file.startsWith('scripts/gates/')) {
    for (const [index, line] of lines.entries()) {
      const escape = ESCAPES.exec(line);
      if (escape) add(index + 1, 'no-escape', `"${escape[0]}": mend the code instead of silencing the check`);
    }
  }
  if (file.endsWith('.css')) {
    for (const [index, line] of lines.entries()) {
      if (/(url\(\s*|@import\s+)['"]?(https?:)?\/\//.test(line)) add(index + 1, 'no-remote-style', 'styles load nothing from elsewhere');
    }
  }
  return findings;
}

/** `a.b` for a property access or `a` for a plain identifier that is a value in use; otherwise "". */
function usedName(node) {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) return `${node.expression.text}.${node.name.text}`;
  if (!ts.isIdentifier(node)) return '';
  const parent = node.parent;
  if (!parent || ts.isPropertyAccessExpression(parent)) return parent?.expression === node ? node.text : '';
  const isName =
    (ts.isPropertyAssignment(parent) ||
      ts.isMethodDeclaration(parent) ||
      ts.isMethodSignature(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isParameter(parent) ||
      ts.isVariableDeclaration(parent) ||
      ts.isFunctionDeclaration(parent) ||
      ts.isBindingElement(parent)) &&
    parent.name === node;
  const isType =
    ts.isTypeReferenceNode(parent) || ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isQualifiedName(parent);
  return isName || isType ? '' : node.text;
}

const calledName = (node) =>
  ts.isCallExpression(node)
    ? ts.isPropertyAccessExpression(node.expression)
      ? node.expression.name.text
      : ts.isIdentifier(node.expression)
        ? node.expression.text
        : ''
    : '';
const isBuiltText = (node) =>
  ts.isTemplateExpression(node) ||
  ts.isTaggedTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken);

const RULES = [
  {
    where: ENGINE,
    check(node, { report }) {
      const name = usedName(node);
      const reason = ENGINE_BANS.get(name);
      if (reason) report(node, 'pure-engine', `${name}: ${reason}`);
      if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) {
        report(node, 'pure-engine', 'new Date(): time comes from the Clock port');
      }
    },
  },
  {
    where: PRODUCT,
    check(node, { report, power }) {
      if (ts.isNewExpression(node)) {
        const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name.text : node.expression.getText();
        if (WINDOW_CLASSES.has(name)) power(node, 'making a window');
        if (name === 'Function') report(node, 'no-eval', 'text is never run as code');
      }
      if (ts.isIdentifier(node) && node.text === 'ipcMain' && !ts.isImportSpecifier(node.parent)) power(node, 'ipcMain');
      if (ts.isPropertyAccessExpression(node) && OPENERS.has(node.name.text) && /(^|\.)shell$/.test(node.expression.getText())) {
        power(node, `shell.open…`);
      }
      if (ts.isStringLiteralLike(node) && UNSAFE_SWITCHES.test(node.text))
        report(node, 'safe-window', `the switch ${node.text} is never set`);
      if (ts.isStringLiteralLike(node) && node.text === 'certificate-error') {
        report(node, 'safe-window', 'certificates are never accepted by hand');
      }
      if (ts.isPropertyAssignment(node) && UNSAFE_PREFERENCES.has(node.name.getText())) {
        const refused = UNSAFE_PREFERENCES.get(node.name.getText());
        const value = node.initializer.getText();
        if (refused === undefined || (value !== (refused === 'true' ? 'false' : 'true') && isPreference(node))) {
          report(node, 'safe-window', `${node.name.getText()}: ${value} weakens the page's sandbox`);
        }
      }
    },
  },
  {
    where: PRODUCT,
    check(node, { report }) {
      if (ts.isJsxAttribute(node) && node.name.getText() === 'dangerouslySetInnerHTML') {
        report(node, 'no-raw-html', 'text becomes HTML through React elements only');
      }
      if (ts.isPropertyAssignment(node) && node.name.getText() === 'dangerouslySetInnerHTML') {
        report(node, 'no-raw-html', 'text becomes HTML through React elements only');
      }
      if (
        ts.isBinaryExpression(node) &&
        node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        ts.isPropertyAccessExpression(node.left)
      ) {
        if (RAW_HTML.has(node.left.name.text))
          report(node, 'no-raw-html', `${node.left.name.text}: text becomes HTML through React elements only`);
      }
      if (RAW_HTML_CALLS.has(calledName(node)))
        report(node, 'no-raw-html', `${calledName(node)}: text becomes HTML through React elements only`);
      if (ts.isCallExpression(node) && /^document\.write(ln)?$/.test(node.expression.getText()))
        report(node, 'no-raw-html', 'document.write is not used');
    },
  },
  {
    where: /^electron\//,
    check(node, { report }) {
      if (SQL_CALLS.has(calledName(node)) && node.arguments.some((argument, index) => index === 0 && isBuiltText(argument))) {
        report(node, 'no-built-sql', 'SQL is constant text with placeholders; values travel as parameters');
      }
    },
  },
  {
    where: /^tests\//,
    check(node, { report }) {
      if (!ts.isPropertyAccessExpression(node) || !ts.isIdentifier(node.expression)) return;
      if (!/^(test|it|describe|suite)$/.test(node.expression.text)) return;
      if (/^(skip|only|todo|fixme|fails|fail|skipIf|runIf)$/.test(node.name.text)) {
        report(node, 'no-skipped-test', `${node.getText()}: every test runs, and each failure counts`);
      }
    },
  },
];

/** `sandbox: someVariable` in any object literal counts only where the object is a set of window preferences. */
function isPreference(node) {
  const value = node.initializer.kind;
  if (value === ts.SyntaxKind.TrueKeyword || value === ts.SyntaxKind.FalseKeyword) return true;
  const owner = node.parent.parent;
  return ts.isPropertyAssignment(owner) && owner.name.getText() === 'webPreferences';
}
