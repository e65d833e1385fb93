import { http, failureHandlers } from '@iot/shared/client/call'
import { productCategoryApi } from '@iot/shared/contract/product/category.api'
import { ThingModel } from '@iot/shared/contract/thingModel/thingModel.schema'
import { saveModel } from './saveModel'

const createNumberProperty = (identifier: string, name: string, specs: object) => ({
  identifier,
  name,
  accessMode: 'rw',
  dataType: { type: 'int', specs },
})
const model = ThingModel.parse({
  properties: [
    createNumberProperty('Delay', '延时', {}),
    createNumberProperty('Level', '亮度', { min: 0, max: 100 }),
  ],
})
const mockFieldErrors = (fields: Record<string, string>) =>
  (http.defaults.adapter = (config) =>
    Promise.resolve({
      config,
      status: 200,
      statusText: '',
      headers: {},
      data: { code: 422, msg: Object.values(fields)[0], data: { fields } },
    }))
const sendModel = () =>
  saveModel(productCategoryApi.saveModel, { id: '1', version: 3 }, model, { handles: [] })
const showErrorMock = jest.fn()
beforeEach(() => {
  showErrorMock.mockClear()
  failureHandlers.showError = showErrorMock
})

it('names the refused function, which may not be the edited one', async () => {
  mockFieldErrors({ 'model.properties.1.dataType.specs.step': '步长不能大于最大值与最小值之差' })
  await expect(sendModel()).rejects.toThrow('属性“亮度”：步长不能大于最大值与最小值之差')
  expect(showErrorMock.mock.calls).toEqual([['属性“亮度”：步长不能大于最大值与最小值之差']])
})

it('shows an error of a whole list unchanged', async () => {
  mockFieldErrors({ 'model.properties': '属性最多 500 个' })
  await expect(sendModel()).rejects.toThrow('属性最多 500 个')
  expect(showErrorMock).toHaveBeenCalledTimes(1)
})
