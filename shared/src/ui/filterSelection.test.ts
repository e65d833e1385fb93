import { CallError } from '../client/call'
import { maxBulkRows } from '../contract/fields'
import { sendInPortions } from './filterSelection'

const ids = Array.from({ length: maxBulkRows * 2 + 1 }, (_, i) => String(i))
const succeed = async (portion: string[]) => portion.map((id) => ({ id, name: id, ok: true }))

it('sends at most as many rows per call as the server accepts', async () => {
  const send = jest.fn(succeed)
  expect(await sendInPortions(ids, send)).toHaveLength(ids.length)
  expect(send.mock.calls.map(([portion]) => portion.length)).toEqual([maxBulkRows, maxBulkRows, 1])
})

it('keeps earlier results and names the rows that were not handled when a later call fails', async () => {
  const send = jest.fn(succeed)
  send.mockImplementationOnce(succeed).mockRejectedValueOnce(new CallError('网络不通', 1))
  const results = await sendInPortions(ids, send)
  expect(results.filter(({ ok }) => ok)).toHaveLength(maxBulkRows)
  expect(results.at(-1)).toMatchObject({ id: ids.at(-1), ok: false, reason: '没有执行：网络不通' })
  expect(send).toHaveBeenCalledTimes(2)
})

it('fails as a whole when the first call fails, so that its message is shown once', async () => {
  const refuse = () => Promise.reject(new CallError('没有权限', 1))
  await expect(sendInPortions(ids, refuse)).rejects.toThrow('没有权限')
})
