/** Does I/O: throw-away certificates for TLS tests, made with the `openssl` program. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificate {
  /** PEM files. */
  certificate: string;
  key: string;
}

const NEW_KEY = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];

function filesOf(folder: string, name: string): Certificate {
  return { certificate: path.join(folder, `${name}.pem`), key: path.join(folder, `${name}.key`) };
}

/** A certificate authority of its own, good for one day. */
export async function makeAuthority(folder: string, name: string): Promise<Certificate> {
  const files = filesOf(folder, name);
  const extensions = ['-addext', 'basicConstraints=critical,CA:TRUE'];
  await run('openssl', [...NEW_KEY, '-subj', `/CN=${name}`, ...extensions, '-keyout', files.key, '-out', files.certificate]);
  return files;
}

/** A server certificate signed by the authority; `names` as in `DNS:db.example` or `IP:127.0.0.1`. */
export async function makeCertificate(folder: string, name: string, authority: Certificate, names: string): Promise<Certificate> {
  const files = filesOf(folder, name);
  const extensions = ['-addext', `subjectAltName=${names}`, '-addext', 'basicConstraints=critical,CA:FALSE'];
  const signer = ['-CA', authority.certificate, '-CAkey', authority.key];
  await run('openssl', [...NEW_KEY, '-subj', `/CN=${name}`, ...extensions, ...signer, '-keyout', files.key, '-out', files.certificate]);
  return files;
}
