// electron-builder calls this after it has put the app together: sets every fuse of Electron's binary, none is left to a default.
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import path from 'node:path';

/** Every fuse with the value that it must have. */
export const FUSES = {
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: true,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  // On: WebAssembly traps through the processor's memory protection, as Chromium ships it; off would only make it slower.
  [FuseV1Options.WasmTrapHandlers]: true,
};

/** The program inside the folder that electron-builder has filled. */
function programOf({ appOutDir, electronPlatformName, packager }) {
  const names = {
    darwin: `${packager.appInfo.productFilename}.app`,
    win32: `${packager.appInfo.productFilename}.exe`,
    linux: packager.executableName,
  };
  return path.join(appOutDir, names[electronPlatformName]);
}

/**
 * electron-builder's own setter carries an older fuse library that does not know them all, so the project's is used.
 * @param {import('electron-builder').AfterPackContext} context
 */
export default async function setFuses(context) {
  await flipFuses(programOf(context), {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: context.electronPlatformName === 'darwin',
    ...FUSES,
  });
}
