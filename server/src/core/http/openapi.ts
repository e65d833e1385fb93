import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { uploadPath } from '@iot/shared/contract/platform/upload'
import { UploadPurpose, UploadedFile } from '@iot/shared/contract/platform/upload.schema'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { getBasePath } from './publicAddress'
import { authorizeCall, type ServedEndpoint } from './serve'
import { hoistDefinitions, extractSharedSchemas } from './sharedSchemas'

type Schema = Record<string, unknown>

/**
 * Builds the OpenAPI 3.1 document of the given endpoints.
 * @param basePath path below which the platform is reached from outside
 */
export function buildOpenApi(endpoints: ServedEndpoint[], basePath = ''): Schema {
  const paths: Record<string, Schema> = {}
  const sorted = endpoints.toSorted((a, b) =>
    `${a.path} ${a.method}`.localeCompare(`${b.path} ${b.method}`, 'en'),
  )
  for (const endpoint of sorted)
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = buildOperation(endpoint)
  paths[uploadPath] = { post: uploadOperation }
  const recursive = hoistDefinitions(paths)
  const sharedResult = extractSharedSchemas(recursive.paths)
  return {
    openapi: '3.1.0',
    info: {
      title: '物联云平台',
      version: '1',
      description: '每个回答都是 {code, msg, data}；code 为 0 表示成功。',
    },
    ...(basePath && { servers: [{ url: basePath }] }),
    paths: sharedResult.paths,
    components: {
      schemas: { ...sharedResult.schemas, ...recursive.schemas },
      responses: { forbidden: { description: '没有权限' } },
      securitySchemes: {
        satoken: { type: 'apiKey', in: 'header', name: 'satoken', description: 'Bearer <token>' },
      },
    },
  }
}

const documentPath = '/v1/openapi.json'
const browserPath = '/v1/docs'
const documentRoutes = [`${browserPath}/json`, `${browserPath}/yaml`]

/**
 * The page to browse the document sends the token of the console's session, which lies in the storage of the same
 * origin, and to that origin alone.
 */
const sendToken = `
const { fetch: originalFetch } = window
window.fetch = (input, options = {}) => {
  const isRequest = input instanceof Request
  const headers = new Headers(options.headers ?? (isRequest ? input.headers : undefined))
  const { origin } = new URL(isRequest ? input.url : input, location.href)
  if (origin !== location.origin) return originalFetch(input, options)
  const token = JSON.parse(localStorage.getItem('token') ?? 'null')
  if (token && !headers.has('satoken')) headers.set('satoken', 'Bearer ' + token)
  return originalFetch(input, { ...options, headers })
}
`

/**
 * Serves the document and a page to browse it to signed-in users, or to anyone if the setting says so; it must be called
 * after all modules are registered.
 */
export async function serveOpenApi(app: FastifyInstance) {
  const endpoints = [...app.endpoints]
  let cachedDocument: Schema | undefined
  // The document takes half a second to build, so it is built on first use and not at startup.
  const basePath = getBasePath(app.settings.publicUrl)
  const getDocument = () => (cachedDocument ??= buildOpenApi(endpoints, basePath))
  const admit = async (request: FastifyRequest) => {
    if (app.settings.isApiDocumentPublic) return
    await authorizeCall(app, request, {
      path: documentPath,
      title: '接口文档',
      permission: 'session',
    })
  }
  app.get(documentPath, { onRequest: admit }, getDocument)
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } },
  })
  await app.register(swaggerUi, {
    routePrefix: browserPath,
    indexPrefix: basePath,
    // The page itself reveals nothing; only the document is read with a session.
    uiHooks: {
      onRequest: async (request, reply) => {
        // The matched route and not the address, which may write the same path with percent signs.
        const { url = '' } = request.routeOptions
        if (documentRoutes.includes(url)) await admit(request)
        // The page's own redirect does not know the base path.
        if (url === `${browserPath}/static/index.html`)
          return reply.redirect(`${basePath}${browserPath}/`)
      },
    },
    theme: { js: [{ filename: 'sendToken.js', content: sendToken }] },
    staticCSP: true,
    // Where the platform has no TLS, a browser would look for the files of the page at `https:` and find none.
    transformStaticCSP: (policy) => policy.replace(' upgrade-insecure-requests;', ''),
    transformSpecification: getDocument,
    transformSpecificationClone: false,
  })
}

function buildOperation({
  method,
  path,
  title,
  permission,
  input,
  output,
}: ServedEndpoint): Schema {
  const inputSchema = toJsonSchema(input, 'input')
  const properties = (inputSchema.properties ?? {}) as Record<string, Schema>
  const required = new Set((inputSchema.required ?? []) as string[])
  const pathParameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const queryParameters =
    method === 'GET' || method === 'DELETE'
      ? Object.keys(properties).filter((name) => !pathParameters.includes(name))
      : []
  return {
    summary: title,
    tags: [path.split('/')[2]],
    'x-permission': permission,
    ...(permission !== 'public' && { security: [{ satoken: [] }] }),
    parameters: [
      ...pathParameters.map((name) => ({
        name,
        in: 'path',
        required: true,
        schema: properties[name] ?? { type: 'string' },
      })),
      ...queryParameters.map((name) => ({
        name,
        in: 'query',
        required: required.has(name),
        schema: properties[name],
      })),
    ],
    ...(method !== 'GET' &&
      method !== 'DELETE' && {
        requestBody: { required: true, content: { 'application/json': { schema: inputSchema } } },
      }),
    responses: buildResponses(toJsonSchema(output, 'output')),
  }
}

const uploadOperation = {
  summary: '上传文件',
  tags: ['upload'],
  'x-permission': 'session',
  security: [{ satoken: [] }],
  parameters: [
    {
      name: 'purpose',
      in: 'query',
      required: false,
      description: '图片的用处；须有在那里保存图片的权限。不写时须有其中一处的权限',
      schema: { type: 'string', enum: UploadPurpose.options },
    },
  ],
  requestBody: {
    required: true,
    content: {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          properties: { file: { type: 'string', format: 'binary' } },
        },
      },
    },
  },
  responses: buildResponses(toJsonSchema(UploadedFile, 'output')),
}

function buildResponses(data: Schema): Schema {
  const envelope = {
    type: 'object',
    required: ['code', 'msg', 'data'],
    properties: { code: { type: 'integer' }, msg: { type: 'string' }, data },
  }
  return {
    200: {
      description: 'code 为 0 时成功；否则 msg 说明原因',
      content: { 'application/json': { schema: envelope } },
    },
    403: { $ref: '#/components/responses/forbidden' },
  }
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // The pattern of a field is dropped if it has a format, which implies the pattern and is shorter.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format) delete jsonSchema.pattern
      if (io === 'input' && jsonSchema.type === 'array' && jsonSchema.isSequence !== true)
        jsonSchema.uniqueItems = true
      delete jsonSchema.isSequence
    },
  })
  return rest
}
