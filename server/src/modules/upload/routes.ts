import { dayMs, getPastTime } from '@iot/shared/contract/duration'
import { createHash } from 'node:crypto'
import { brandApi } from '@iot/shared/contract/product/brand.api'
import { isCallAllowed, responseCodes, type Endpoint } from '@iot/shared/contract/endpoint'
import { iconApi } from '@iot/shared/contract/product/icon.api'
import { manufacturerApi } from '@iot/shared/contract/product/manufacturer.api'
import { platformSettingsApi } from '@iot/shared/contract/platform/platformSettings.api'
import { productApi } from '@iot/shared/contract/product/product.api'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { uploadLimits, uploadPath } from '@iot/shared/contract/platform/upload'
import { UploadPurpose, type UploadedFile } from '@iot/shared/contract/platform/upload.schema'
import { and, count, eq, gt, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { now } from '../../tables/columns'
import { Refusal, createFieldRefusal } from '../../core/refusal'
import { authorizeCall } from '../../core/http/serve'
import { examinePicture } from './picture'
import { uploadedFile } from '../../tables/upload'

const createFileError = (message: string) => createFieldRefusal('file', message)
const createTooLargeError = () =>
  createFileError(`文件不能超过 ${uploadLimits.bytes / 1024 / 1024} MB`)

/** Endpoints that save a picture of each purpose; a permission for one of them allows the upload. */
const endpointsByPurpose: Record<UploadPurpose, Endpoint[]> = {
  icon: [iconApi.create, iconApi.update],
  brand: [brandApi.create, brandApi.update],
  manufacturer: [manufacturerApi.create, manufacturerApi.update],
  product: [productApi.create, productApi.update],
  plan: [spaceApi.setPlan],
  platform: [platformSettingsApi.updateBranding],
}

/** The routes do not use `serve`: the upload has a file as body, and an `<img>` element sends no headers. */
export function uploadRoutes(app: FastifyInstance) {
  app.post<{ Querystring: { purpose?: unknown } }>(
    uploadPath,
    { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } },
    async (request) => {
      const username = await admitUpload(request)
      const { received: fileContent, filename } = await receiveFile(request)
      const { type, content, omitted } = await examinePicture(fileContent)
      // A cleaned drawing may be larger than the received one, because abbreviations are written out.
      if (content.length > uploadLimits.bytes) throw createTooLargeError()
      await assertUploadQuota(username, content.length)

      const id = createHash('sha256').update(content).digest('hex').slice(0, 32)
      const name = filename.replace(/[\p{C}/\\"]/gu, '').slice(0, 100) || 'file'
      const row = { id, name, type, size: content.length }
      await app.db
        .insert(uploadedFile)
        .values({ ...row, content, createBy: username, createTime: now() })
        .onConflictDoNothing()
      await assertStoredCompletely(id, content.length)
      const data: UploadedFile = {
        ...row,
        received: fileContent.length,
        omitted,
        url: `${uploadPath}/${id}`,
      }
      return { code: 0, msg: 'ok', data }
    },
  )

  /**
   * Returns the name of the user, who must hold a permission of the screen for this purpose, or of any screen if no
   * purpose is given.
   */
  async function admitUpload(request: FastifyRequest<{ Querystring: { purpose?: unknown } }>) {
    const endpoint = { path: uploadPath, title: '上传文件' }
    const session = await authorizeCall(app, request, { ...endpoint, permission: 'session' })
    const purpose = UploadPurpose.optional().safeParse(request.query.purpose)
    if (!purpose.success)
      throw createFieldRefusal('purpose', `purpose 只能是 ${UploadPurpose.options.join('、')}`)
    const endpoints = purpose.data
      ? endpointsByPurpose[purpose.data]
      : Object.values(endpointsByPurpose).flat()
    const firstEndpoint = endpoints[0]!
    // The refusal names the permission of the screen if the purpose is known.
    const { permissions, projectScope } = session
    const caller = { permissions, seesAllProjects: projectScope === 'all' }
    if (!endpoints.some((candidate) => isCallAllowed(caller, candidate)))
      await authorizeCall(
        app,
        request,
        purpose.data ? firstEndpoint : { ...firstEndpoint, ...endpoint },
      )
    return session.user.username
  }

  async function assertStoredCompletely(id: string, bytes: number) {
    const [storedRow] = await app.db
      .select({ bytes: sql<number>`octet_length(${uploadedFile.content})` })
      .from(uploadedFile)
      .where(eq(uploadedFile.id, id))
    if (storedRow?.bytes !== bytes) throw createFileError('文件没有完整保存，请重新上传')
  }

  async function assertUploadQuota(username: string, size: number) {
    const oneDayAgo = getPastTime(dayMs)
    const [usage] = await app.db
      .select({ files: count(), total: sql<number>`coalesce(sum(${uploadedFile.size}), 0)::int` })
      .from(uploadedFile)
      .where(and(eq(uploadedFile.createBy, username), gt(uploadedFile.createTime, oneDayAgo)))
    if (usage!.files >= uploadLimits.files)
      throw createFileError(`24 小时内最多上传 ${uploadLimits.files} 个文件，请稍后再传`)
    if (usage!.total + size > uploadLimits.total)
      throw createFileError(`24 小时内最多上传 ${uploadLimits.total / 1024 / 1024} MB，请稍后再传`)
  }

  // The id is the hash of the content with 128 bits, so only someone who has seen the picture knows it.
  app.get<{ Params: { id: string } }>(`${uploadPath}/:id`, async (request, reply) => {
    const [file] = await app.db
      .select()
      .from(uploadedFile)
      .where(eq(uploadedFile.id, request.params.id.replaceAll('\0', '')))
    if (!file) throw new Refusal(responseCodes.missing, '文件不存在', null, 404)
    return reply
      .type(file.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header(
        'content-security-policy',
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox",
      )
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(file.content)
  })
}

/**
 * Reads the single file of the request. The limit of the parser is one byte higher and the length decides, because the
 * parser may set its own flag only after the last part was read.
 * @throws if there is no file, or it is empty, incomplete or too large
 */
async function receiveFile(request: FastifyRequest) {
  if (!request.isMultipart()) throw createFileError('请选择要上传的文件')
  const limits = { fileSize: uploadLimits.bytes + 1 }
  const part = await request.file({ limits, throwFileSizeLimit: false }).catch(() => {
    throw createFileError('上传的内容无法识别')
  })
  if (part?.fieldname !== 'file') throw createFileError('请选择要上传的文件')
  const fileContent = await part.toBuffer().catch(() => {
    throw createFileError('文件没有传完，请重新上传')
  })
  if (fileContent.length > uploadLimits.bytes || part.file.truncated) throw createTooLargeError()
  if (fileContent.length === 0) throw createFileError('文件是空的')
  return { received: fileContent, filename: part.filename }
}
