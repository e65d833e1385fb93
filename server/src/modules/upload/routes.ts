import { createHash } from 'node:crypto'
import { codes } from '@iot/shared/contract/endpoint'
import { uploadLimits, uploadPath, type UploadedFile } from '@iot/shared/contract/upload'
import { and, count, eq, gt, sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { now } from '../../tables/columns'
import { Refusal, wrongField } from '../../core/refusal'
import { admit } from '../../core/serve/serve'
import { cleanSvg, declaresEntities, isDrawing, refuseSize, typeOf } from './picture'
import { uploadedFile } from '../../tables/upload'

const wrong = (message: string) => wrongField('file', message)
const tooLong = () => wrong(`文件不能超过 ${uploadLimits.bytes / 1024 / 1024} MB`)

/** Not `serve`: the body is a file, and a picture is read by an <img>, which sends no headers. */
export function uploadRoutes(app: FastifyInstance) {
  app.post(
    uploadPath,
    { config: { rateLimit: { max: 60, timeWindow: '1 minute' } } },
    async (request) => {
      const session = await admit(app, request, {
        path: uploadPath,
        title: '上传文件',
        permission: 'session',
      })
      if (!request.isMultipart()) throw wrong('请选择要上传的文件')
      const part = await request.file().catch(() => {
        throw wrong('上传的内容无法识别')
      })
      if (part?.fieldname !== 'file') throw wrong('请选择要上传的文件')
      const received = await part.toBuffer().catch(() => {
        throw tooLong()
      })
      const type = typeOf(received)
      if (!type && isDrawing(received))
        throw wrong('不支持 CAD 图纸（DXF、DWG），请在 CAD 里把它导出为 SVG 再上传')
      if (!type && declaresEntities(received))
        throw wrong(
          '这个 SVG 带有实体声明（<!ENTITY>），请另存一次再上传；用 Illustrator 时不要勾选“保留 Illustrator 编辑功能”',
        )
      if (!type) throw wrong('只支持 SVG、PNG、JPEG 和 WebP 图片')
      const content = type === 'image/svg+xml' ? cleanSvg(received) : received
      if (!content) throw wrong('SVG 文件无法识别，或者画的内容太多')
      // A clean drawing spells out what the one received left short.
      if (content.length > uploadLimits.bytes) throw tooLong()
      const tooLarge = type === 'image/svg+xml' ? undefined : refuseSize(content)
      if (tooLarge) throw wrong(tooLarge)
      await mustHaveRoom(session.user.username, content.length)

      const id = createHash('sha256').update(content).digest('hex').slice(0, 32)
      const name = part.filename.replace(/[\p{C}/\\"]/gu, '').slice(0, 100) || 'file'
      const row = { id, name, type, size: content.length }
      await app.db
        .insert(uploadedFile)
        .values({ ...row, content, createBy: session.user.username, createTime: now() })
        .onConflictDoNothing()
      return {
        code: 0,
        msg: 'ok',
        data: { ...row, url: `${uploadPath}/${id}` } satisfies UploadedFile,
      }
    },
  )

  async function mustHaveRoom(username: string, size: number) {
    const yesterday = new Date(Date.now() - 24 * 3600_000).toISOString()
    const [used] = await app.db
      .select({ files: count(), total: sql<number>`coalesce(sum(${uploadedFile.size}), 0)::int` })
      .from(uploadedFile)
      .where(and(eq(uploadedFile.createBy, username), gt(uploadedFile.createTime, yesterday)))
    if (used!.files >= uploadLimits.files)
      throw wrong(`24 小时内最多上传 ${uploadLimits.files} 个文件，请稍后再传`)
    if (used!.total + size > uploadLimits.total)
      throw wrong(`24 小时内最多上传 ${uploadLimits.total / 1024 / 1024} MB，请稍后再传`)
  }

  // The id is the content's hash, 128 bits: who knows it has seen the picture.
  app.get<{ Params: { id: string } }>(`${uploadPath}/:id`, async (request, reply) => {
    const [file] = await app.db
      .select()
      .from(uploadedFile)
      .where(eq(uploadedFile.id, request.params.id.replaceAll('\0', '')))
    if (!file) throw new Refusal(codes.missing, '文件不存在', null, 404)
    return reply
      .type(file.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      .header('cross-origin-resource-policy', 'cross-origin')
      .send(file.content)
  })
}
