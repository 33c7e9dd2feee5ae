// Pure data: words of the page about the app.
export const ABOUT = {
  title: 'About',
  version: 'Version',
  model: 'Model',
  storage: 'Storage',
  dataFolder: 'Data folder',
  host: 'Runs in',
  hosts: {
    window: 'a desktop window',
    loopback: 'the browser',
    terminal: 'the terminal',
  },
  help: 'Help',
  tour: 'Take the tour',
  keys: 'Keyboard shortcuts',
  licences: 'Licensed under MIT. The licences of what is built in are in THIRD-PARTY-NOTICES.txt beside the program.',
};
