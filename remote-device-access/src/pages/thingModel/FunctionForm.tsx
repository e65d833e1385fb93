import { App, Form, Input, Radio, Switch } from 'antd'
import { useRef } from 'react'
import { CallError } from '@iot/shared/client/call'
import { codes } from '@iot/shared/contract/endpoint'
import { functionsOf, sameFunction, type ThingFunction } from '@iot/shared/contract/modelDifference'
import { optionsOf } from '@iot/shared/contract/options'
import { fieldOf } from '@iot/shared/contract/readModel'
import {
  DataType,
  type FunctionKind,
  Param,
  Property,
  Service,
  ThingEvent,
  type ThingModel,
} from '@iot/shared/contract/thingModel'
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
import { newerOf, type Editing } from './editing'
import { ParamsField } from './ParamsField'
import { TypeField } from './TypeField'

type Draft = { kind: FunctionKind; identifier: string; name: string } & Record<string, unknown>
type Schema = typeof Property
// The three have identifier, name, required and description in common; what is of one kind is shown for it only.
const schemas = {
  properties: Property,
  services: Service,
  events: ThingEvent,
} as unknown as Record<FunctionKind, Schema>
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
} satisfies Draft

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
  const { message } = App.useApp()
  const { carrier, send, locked } = editing
  const [form] = Form.useForm<Draft>()
  // The model as it was read last, and this function in it: a colleague may be at either.
  const base = useRef({ carrier, one: isNew ? undefined : given })
  const values = Form.useWatch([], { form, preserve: true }) as Draft | undefined
  const kind = values?.kind ?? given?.kind ?? 'properties'
  const schema = schemas[kind]
  const former = isNew ? undefined : given
  const isLocked = former !== undefined && locked.has(former.identifier)
  const stored = { id: former?.identifier ?? 'new', version: carrier.version }
  const initial: Draft & Partial<typeof stored> = {
    ...blank,
    ...given,
    ...(former && stored),
  }

  const isFree = async (identifier: string) =>
    identifier !== former?.identifier &&
    functionsOf(carrier.model).some((one) => one.identifier === identifier)
      ? `标识符 ${identifier} 已被使用`
      : undefined
  const drafted = ({ kind, ...draft }: Draft) =>
    ({ kind, ...schemas[kind].parse({ ...draft, desc: draft.desc || undefined }) }) as ThingFunction
  /** The model with this function where the former stood, also under another identifier. */
  const placed = (model: ThingModel, one: ThingFunction): ThingModel => {
    const { kind, ...rest } = one
    if (!former) return { ...model, [kind]: [...model[kind], rest] }
    const list = (model[kind] as { identifier: string }[]).map((standing) =>
      standing.identifier === former.identifier ? rest : standing,
    )
    return { ...model, [kind]: list }
  }

  /** Another function that a colleague changed meanwhile is kept; this one is for the form to merge. */
  async function save(draft: Draft) {
    const one = drafted(draft)
    for (;;)
      try {
        const { carrier } = base.current
        return take(await send(carrier, placed(carrier.model, one)))
      } catch (error) {
        const newer = newerOf(error)
        if (!newer) throw error
        const mine = base.current.one
        const theirs = functionsOf(newer.model).find((fn) => fn.identifier === mine?.identifier)
        base.current = { carrier: newer, one: theirs }
        if (mine && !theirs) {
          const gone = `“${mine.name}”已被${newer.updateBy}删除`
          message.error(gone)
          throw new CallError(gone)
        }
        if (mine && theirs && !sameFunction(mine, theirs))
          throw new CallError('这条记录已被别人修改', codes.version, {
            current: { ...theirs, ...audit(newer) },
          })
      }
  }
  const property = values?.kind === 'properties' && asProperty(values)

  return (
    <FormDialog<Draft>
      title={former ? `编辑${kindText[kind]}` : '新建功能'}
      schema={schema}
      initial={initial}
      send={save}
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
        <>
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
        </>
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

const audit = ({ version, updateBy, updateTime }: Editing['carrier']) => ({
  version,
  updateBy,
  updateTime,
})

/** What is typed, once it is whole enough to be drawn. */
function asProperty({ dataType, accessMode, name }: Draft) {
  const { data } = Property.pick({ accessMode: true, dataType: true }).safeParse({
    dataType,
    accessMode,
  })
  return data && ({ ...data, name } as Property)
}
