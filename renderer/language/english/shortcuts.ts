// Pure data: words of the sheet of keys.
export const SHORTCUTS = {
  title: 'Keyboard',
  inFields: 'In fields and lists',
  send: 'Send the message',
  breakLine: 'Break the line',
  stopOrClose: 'Stop the answer, close a sheet',
  moveInList: 'Move in a list',
  turnInTrace: 'Previous and next turn in the trace',
  markUnread: 'Mark a row of the list as unread',
};
