// electron-builder calls this after it has put the app together: sets every fuse of Electron's binary, none is left to a default.
import { FuseV1Options, FuseVersion } from '@electron/fuses';

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

/** @param {import('electron-builder').AfterPackContext} context */
export default async function setFuses(context) {
  await context.packager.addElectronFuses(context, {
    version: FuseVersion.V1,
    strictlyRequireAllFuses: true,
    resetAdHocDarwinSignature: context.electronPlatformName === 'darwin',
    ...FUSES,
  });
}
