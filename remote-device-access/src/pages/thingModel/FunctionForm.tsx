import { Form, Input, Radio, Switch } from 'antd'
import { functionsOf, type ThingFunction } from '@iot/shared/contract/modelDifference'
import { optionsOf } from '@iot/shared/contract/options'
import { fieldOf } from '@iot/shared/contract/readModel'
import { DataType, Param, Property, Service, ThingEvent } from '@iot/shared/contract/thingModel'
import {
  accessText,
  callText,
  eventText,
  kindText,
  paramWords,
  typeWords,
} from '@iot/shared/contract/thingText'
import { field } from '@iot/shared/ui/field'
import { FormDialog, FormGroup, wholeLine } from '@iot/shared/ui/formDialog'
import { ControlPreview } from './ControlPreview'
import type { Editing } from './editing'
import { ParamsField } from './ParamsField'
import { TypeField } from './TypeField'
import { schemas, useSendFunction, type FunctionDraft } from './useSendFunction'

const blank = {
  kind: 'properties',
  identifier: '',
  name: '',
  required: false,
  desc: '',
  accessMode: 'rw',
  dataType: { type: 'int', specs: {} },
  isHistory: true,
  isMonitor: true,
  callType: 'async',
  type: 'info',
  inputData: [],
  outputData: [],
} satisfies FunctionDraft

/** What is wrong inside a type or a list of parameters, with the place. */
const check = (schema: typeof DataType | ReturnType<typeof Param.array>) => ({
  validator: async (_: unknown, value: unknown) => {
    const { error } = schema.safeParse(value)
    const issue = error?.issues[0]
    if (!issue) return
    const at = issue.path.find((part) => typeof part === 'number')
    const place = at === undefined ? '' : `第 ${Number(at) + 1} 项的`
    throw new Error(`${place}${fieldOf(issue.path)}：${issue.message}`)
  },
})

type FunctionFormProps = {
  editing: Editing
  /** None for a new one; without an identifier, a copy. */
  given?: ThingFunction
  isNew: boolean
  onClose: () => void
  onSaved: () => void
  take: (carrier: Editing['carrier']) => void
}

export default function FunctionForm({
  editing,
  given,
  isNew,
  onClose,
  onSaved,
  take,
}: FunctionFormProps) {
  const { carrier, locked } = editing
  const [form] = Form.useForm<FunctionDraft>()
  const values = Form.useWatch([], { form, preserve: true }) as FunctionDraft | undefined
  const kind = values?.kind ?? given?.kind ?? 'properties'
  const schema = schemas[kind]
  const former = isNew ? undefined : given
  const sendFunction = useSendFunction(editing, former)
  const isLocked = former !== undefined && locked.has(former.identifier)
  const stored = { id: former?.identifier ?? 'new', version: carrier.version }
  const initial: FunctionDraft & Partial<typeof stored> = {
    ...blank,
    ...given,
    ...(former && stored),
  }

  const isFree = async (identifier: string) =>
    identifier !== former?.identifier &&
    functionsOf(carrier.model).some((one) => one.identifier === identifier)
      ? `标识符 ${identifier} 已被使用`
      : undefined
  const property = values?.kind === 'properties' && asProperty(values)

  return (
    <FormDialog<FunctionDraft>
      title={former ? `编辑${kindText[kind]}` : '新建功能'}
      schema={schema}
      initial={initial}
      send={async (draft) => take(await sendFunction(draft))}
      show={(name, value) =>
        name === 'dataType'
          ? typeWords(value as DataType)
          : /Data$/.test(name) && paramWords(value as Param[])
      }
      form={form}
      wide
      onSaved={onSaved}
      onClose={onClose}
    >
      <FormGroup title="基本信息">
        <Form.Item name="kind" label="功能类型" style={wholeLine} required>
          <Radio.Group
            options={optionsOf(kindText)}
            optionType="button"
            disabled={former !== undefined}
          />
        </Form.Item>
        <Form.Item {...field(schema, 'name')}>
          <Input autoFocus maxLength={64} />
        </Form.Item>
        <Form.Item {...field(schema, 'identifier', isFree)}>
          <Input maxLength={64} disabled={isLocked} />
        </Form.Item>
        {kind === 'properties' && (
          <Form.Item {...field(Property, 'accessMode')}>
            <Radio.Group options={optionsOf(accessText)} />
          </Form.Item>
        )}
        {kind === 'services' && (
          <Form.Item {...field(Service, 'callType')}>
            <Radio.Group options={optionsOf(callText)} />
          </Form.Item>
        )}
        {kind === 'events' && (
          <Form.Item {...field(ThingEvent, 'type')}>
            <Radio.Group options={optionsOf(eventText)} />
          </Form.Item>
        )}
        <Form.Item {...field(schema, 'required')} valuePropName="checked">
          <Switch />
        </Form.Item>
      </FormGroup>
      {kind === 'properties' ? (
        <FormGroup title="数据">
          <Form.Item
            name="dataType"
            label="数据类型"
            required
            rules={[check(DataType)]}
            style={wholeLine}
          >
            <TypeField disabled={isLocked} />
          </Form.Item>
          <Form.Item label="控件预览" style={wholeLine}>
            {property ? (
              <ControlPreview key={JSON.stringify(property.dataType)} {...property} />
            ) : (
              '—'
            )}
          </Form.Item>
          <Form.Item {...field(Property, 'isHistory')} valuePropName="checked">
            <Switch />
          </Form.Item>
          <Form.Item {...field(Property, 'isMonitor')} valuePropName="checked">
            <Switch />
          </Form.Item>
        </FormGroup>
      ) : (
        <FormGroup title="参数">
          {kind === 'services' && (
            <Form.Item
              name="inputData"
              label="输入参数"
              rules={[check(Param.array())]}
              style={wholeLine}
            >
              <ParamsField word="输入参数" />
            </Form.Item>
          )}
          <Form.Item
            name="outputData"
            label="输出参数"
            rules={[check(Param.array())]}
            style={wholeLine}
          >
            <ParamsField word="输出参数" />
          </Form.Item>
        </FormGroup>
      )}
      <FormGroup title="其他">
        <Form.Item {...field(schema, 'desc')} required={false} style={wholeLine}>
          <Input.TextArea rows={2} maxLength={200} showCount />
        </Form.Item>
      </FormGroup>
    </FormDialog>
  )
}

/** What is typed, once it is whole enough to be drawn. */
function asProperty({ dataType, accessMode, name }: FunctionDraft) {
  const { data } = Property.pick({ accessMode: true, dataType: true }).safeParse({
    dataType,
    accessMode,
  })
  return data && ({ ...data, name } as Property)
}
