// Started by dev.mjs, again after each change: the engine and its browser host from source.
import '../electron/hosts/loopback/development-host.ts';
