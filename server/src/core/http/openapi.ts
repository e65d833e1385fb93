import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { uploadPath } from '@iot/shared/contract/upload'
import { UploadPurpose, UploadedFile } from '@iot/shared/contract/upload.schema'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ServedEndpoint } from './serve'
import { hoistDefinitions, extractSharedSchemas } from './sharedSchemas'

type Schema = Record<string, unknown>

/** Builds the OpenAPI 3.1 document of the given endpoints. */
export function buildOpenApi(endpoints: ServedEndpoint[]): Schema {
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

/** Serves the document and a page to browse it; it must be called after all modules are registered. */
export async function serveOpenApi(app: FastifyInstance) {
  const endpoints = [...app.endpoints]
  let cachedDocument: Schema | undefined
  // The document takes half a second to build, so it is built on first use and not at startup.
  const getDocument = () => (cachedDocument ??= buildOpenApi(endpoints))
  app.get('/v1/openapi.json', getDocument)
  await app.register(swagger, {
    mode: 'static',
    specification: { document: { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} } },
  })
  await app.register(swaggerUi, {
    routePrefix: '/v1/docs',
    staticCSP: true,
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
    },
  })
  return rest
}
