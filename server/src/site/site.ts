import { createHash, randomBytes, type KeyObject } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signatureFile, sourceMapsFolder } from '@iot/shared/contract/release/release'
import { logError } from '../core/db/outage'
import { answerUnknownRoute } from '../core/http/errors'
import { buildContentPolicy, permissionsPolicy } from '../core/http/contentSecurityPolicy'
import { createSiteSource } from './siteSource'
import { encodeRawKey } from './signature'

export type SiteOptions = {
  /** The command `pnpm release` publishes into this folder. */
  folder: string
  /** If this public key is set, only builds signed with its private key are served. */
  key?: KeyObject
  /** These builds are published at the start, unless an earlier start did. */
  builds?: string[]
  /** Base address of the API if it is not this server; it becomes `<meta name="api-base">`. */
  apiBase?: string
  /** Path below which browsers reach the console, such as `/iot`; it becomes `<meta name="base-path">`. */
  basePath?: string
  /**
   * Checks that a page may load code from a developer's machine; `proof` comes from its cookie and identifies the
   * session.
   */
  mayTry?: (proof: string) => Promise<boolean>
  /** Writes the branding into the page. */
  writeBrand?: (html: string, page: { nonce: string; basePath: string }) => Promise<string>
  /** A browser waits this many milliseconds for one file; tests shorten it. */
  loadDeadline?: number
  /** A page and the server poll the pointer at this interval in seconds; tests shorten it. */
  pollSeconds?: number
}

/** Builds that are being copied, source maps, and addresses of folders or outside of builds. */
const hiddenPathPattern = new RegExp(`\\.part|/${sourceMapsFolder}/|\\.\\.|//|/$`)

/**
 * Serves the built console: the pointer uncached, builds with a cache time of one year, the host's page with its
 * policy, and a plain-text 404 for missing files. Only a navigation gets the page.
 */
export async function registerSite(
  app: FastifyInstance,
  {
    folder,
    key,
    apiBase = '',
    basePath = '',
    mayTry,
    writeBrand,
    loadDeadline,
    pollSeconds,
  }: SiteOptions,
) {
  const { readPointer, readPage } = createSiteSource(folder, key, (error) => {
    logError('没有提供给浏览器', error)
    app.reportError('server', error)
  })

  app.get('/pointer.json', async (request, reply) => {
    const text = await readPointer()
    if (text === null) return sendNotFound(reply)
    // The ETag depends on the content, because a recreated site counts its revisions from one again.
    const tag = `"${createHash('sha256').update(text).digest('base64url')}"`
    reply
      .header('cache-control', 'no-cache')
      .header('etag', tag)
      .type('application/json; charset=utf-8')
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    return sendCompressed(request, reply, text)
  })

  // Each file has compressed copies beside it. Unlike a served folder, `sendFile` reads no listing for each request.
  await app.register(staticFiles, {
    root: folder,
    serve: false,
    suppressWarning: true,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders(reply, path) {
      reply
        // A proxy that changes bytes would break the hashes of the scripts.
        .header('cache-control', 'public, max-age=31536000, immutable, no-transform')
        .header('x-content-type-options', 'nosniff')
      if (path.endsWith(signatureFile)) reply.type('text/plain; charset=utf-8')
      // A file that is opened directly is a page without the console's policy, so it is sandboxed.
      if (/\.(html|svg)(\.\w+)?$/.test(path)) reply.header('content-security-policy', 'sandbox')
    },
  })
  const sendSiteFile = (request: FastifyRequest, reply: FastifyReply) => {
    const path = decodeURIComponent(request.url.split('?')[0]!)
    return hiddenPathPattern.test(path) ? sendNotFound(reply) : reply.sendFile(path)
  }
  app.get('/host/*', sendSiteFile)
  app.get('/remotes/*', sendSiteFile)

  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(16).toString('base64')
    const html = await readPage()
    if (html === null)
      return reply
        .code(503)
        .header('cache-control', 'no-store')
        .header('content-security-policy', "default-src 'none'")
        .type('text/html; charset=utf-8')
        .send(renderUnpublishedPage(key !== undefined))
    const [, proof] = /(?:^|; )devRemote=([\w-]+)/.exec(request.headers.cookie ?? '') ?? []
    const dev = proof !== undefined && (await mayTry?.(proof)) === true
    const filledHtml = html
      .replaceAll('__NONCE__', nonce)
      .replace('__API_BASE__', () => apiBase || basePath)
      .replace('__BASE_PATH__', () => basePath)
      .replaceAll(/="(\/host\/|\/pointer\.json)/g, (_, path: string) => `="${basePath}${path}`)
      .replace('__LOAD_DEADLINE__', String(loadDeadline ?? ''))
      .replace('__DEV__', dev ? '1' : '')
      .replace('__POLL_SECONDS__', String(pollSeconds ?? ''))
      .replace('__RELEASE_KEY__', key ? encodeRawKey(key) : '')
    reply
      .header('content-security-policy', buildContentPolicy(nonce, { apiBase, dev }))
      .header('cross-origin-opener-policy', 'same-origin')
      .header('permissions-policy', permissionsPolicy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
    // The branding is written last, because its texts may look like the names that are replaced above.
    const page = await writeBrand?.(filledHtml, { nonce, basePath })
    return sendCompressed(request, reply, page ?? filledHtml)
  }

  app.get('/', sendPage)
  app.setNotFoundHandler((request, reply) =>
    request.url.startsWith('/v1/')
      ? answerUnknownRoute(request, reply)
      : isNavigation(request) && !/^\/(host|remotes)\//.test(request.url)
        ? sendPage(request, reply)
        : sendNotFound(reply),
  )
}

const renderUnpublishedPage = (needsSignature: boolean) => `<!doctype html>
<html lang="zh-CN">
  <head><meta charset="utf-8"><title>控制台暂时打不开</title></head>
  <body>
    <h1>控制台暂时打不开</h1>
    <p>${needsSignature ? '控制台尚未发布，或没有用这个站点的密钥签名。' : '控制台尚未发布，或发布的文件不完整。'}请联系管理员。</p>
  </body>
</html>
`

/** Compresses a small, short-lived answer on the fly. */
function sendCompressed(request: FastifyRequest, reply: FastifyReply, text: string) {
  reply.header('vary', 'accept-encoding')
  if (!String(request.headers['accept-encoding']).includes('br')) return reply.send(text)
  return reply
    .header('content-encoding', 'br')
    .send(brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
}

/** True for an address that was typed, linked or reloaded; false for scripts, images and API calls. */
const isNavigation = ({ method, headers }: FastifyRequest) =>
  method === 'GET' &&
  (headers['sec-fetch-mode'] === 'navigate' ||
    (!headers['sec-fetch-mode'] && (headers.accept ?? '').includes('text/html')))

const sendNotFound = (reply: FastifyReply) =>
  reply
    .code(404)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .send('404\n')
