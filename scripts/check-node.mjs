// Reads the version of the Node.js that runs it and ends the process when it is too old. Imported first by every script.
const LEAST_MAJOR = 22;
const LEAST_MINOR = 15;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < LEAST_MAJOR || (major === LEAST_MAJOR && minor < LEAST_MINOR)) {
  console.error(
    `Nimbus Console needs Node.js ${LEAST_MAJOR}.${LEAST_MINOR} or newer, this is ${process.version}.\n` +
      'On Linux x64, "npm ci" puts Node 24 into node_modules/.bin and "npm start", "npm test" and "npm run …" use it.\n' +
      'Elsewhere install a newer Node.js from nodejs.org.',
  );
  process.exit(1);
}
