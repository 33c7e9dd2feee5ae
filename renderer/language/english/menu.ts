// Pure data: names of the window's menus.
export const MENU = {
  file: 'File',
  edit: 'Edit',
  view: 'View',
  conversation: 'Conversation',
  window: 'Window',
  help: 'Help',
};
