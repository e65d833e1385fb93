import { useRequest } from 'ahooks'
import { Alert, Button, Empty, Flex, Form, Select, Typography } from 'antd'
import { useState } from 'react'
import { CallError } from '@iot/shared/client/call'
import type { Values } from '@iot/shared/contract/device'
import { codes, type FieldErrors } from '@iot/shared/contract/endpoint'
import { rights } from '@iot/shared/contract/homeRights'
import {
  deviceStateText,
  managedDeviceApi,
  type DeviceLive,
} from '@iot/shared/contract/managedDevice'
import type { Service } from '@iot/shared/contract/thingModel'
import { callText, typeWords } from '@iot/shared/contract/thingText'
import { isWhole } from '@iot/shared/contract/thingValue'
import { useCommand } from '@iot/shared/control/useCommand'
import { outgoingText } from '@iot/shared/session/outgoing'
import { FormGroup, wholeLine } from '@iot/shared/ui/formDialog'
import { Right } from '@iot/shared/ui/right'
import { ValueField } from '../thingModel/ValueField'
import { rulesOf, WholeFields } from '../thingModel/WholeFields'
import { ServiceOutput } from './ServiceOutput'

type ServicesProps = { id: string; live: DeviceLive }

/** Calls a service of the thing model and shows the device's answer. */
export default function Services({ id, live: { model, state } }: ServicesProps) {
  const [chosen, choose] = useState(model.services[0]?.identifier)
  const service = model.services.find(({ identifier }) => identifier === chosen)
  if (!service)
    return (
      <Empty
        image={Empty.PRESENTED_IMAGE_SIMPLE}
        description="产品没有定义服务，可在产品的“功能定义”里添加"
      />
    )
  return (
    <Flex vertical gap={16} style={{ maxWidth: 560 }}>
      <Select
        aria-label="服务"
        value={chosen}
        onChange={choose}
        options={model.services.map(({ identifier, name }) => ({
          value: identifier,
          label: `${name} ${identifier}`,
        }))}
      />
      <ServiceForm
        key={service.identifier}
        id={id}
        service={service}
        unless={state !== 'online' && `设备${deviceStateText[state]}，不能调用服务`}
      />
    </Flex>
  )
}

type Typed = Record<string, unknown>
type ServiceFormProps = { id: string; service: Service; unless: string | false }

function ServiceForm({ id, service, unless }: ServiceFormProps) {
  const { identifier, inputData, outputData } = service
  const [form] = Form.useForm<Typed>()
  const { state, send } = useCommand()
  const { data, error, loading, run } = useRequest(
    (typed: Typed) =>
      send(
        managedDeviceApi.service,
        { id, identifier, params: asSent(service, typed) },
        { inline: true },
      ),
    {
      manual: true,
      onError(error) {
        if (!(error instanceof CallError) || error.code !== codes.fields) return
        // Errors are mapped to the form's own field names, in which the index of a list is a number.
        const known = new Map(form.getFieldsError().map(({ name }) => [name.join('.'), name]))
        const { fields } = error.data as FieldErrors
        form.setFields(
          Object.entries(fields).flatMap(([path, why]) => {
            const name = known.get(path.replace(/^params\./, ''))
            return name ? [{ name, errors: [why] }] : []
          }),
        )
      },
    },
  )
  return (
    <Form<Typed> form={form} layout="vertical" onFinish={run}>
      <Typography.Paragraph type="secondary">
        {[`${callText[service.callType]}调用`, service.desc].filter(Boolean).join('，')}
        {inputData.length === 0 && '，没有输入参数'}
      </Typography.Paragraph>
      {inputData.map(({ identifier, name, dataType }) =>
        isWhole(dataType) ? (
          <FormGroup key={identifier} title={`${name} ${identifier}`}>
            <div style={wholeLine}>
              <WholeFields name={name} dataType={dataType} path={[identifier]} />
            </div>
          </FormGroup>
        ) : (
          <Form.Item
            key={identifier}
            name={identifier}
            label={`${name} ${identifier}`}
            extra={typeWords(dataType)}
            rules={rulesOf(name, dataType)}
          >
            <ValueField dataType={dataType} />
          </Form.Item>
        ),
      )}
      <Flex vertical gap={16} align="start">
        <Right to={rights.control} unless={unless}>
          <Button type="primary" htmlType="submit" loading={loading}>
            {state === 'sending' ? outgoingText.sending : '调用'}
          </Button>
        </Right>
        {state === 'unknown' && <Alert type="warning" showIcon title={outgoingText.unknown} />}
        {error && !loading && (
          <Alert
            type="error"
            showIcon
            title={error.message}
            description={
              service.callType === 'sync' &&
              error instanceof CallError &&
              error.code === codes.unanswered &&
              '同步服务要在 rrpc/response 上应答，写法见产品的“接入信息”。应答在别处的设备，请把服务改为异步。'
            }
          />
        )}
        {data && !error && !loading && (
          <>
            <Alert
              type={data.code === 200 ? 'success' : 'error'}
              showIcon
              title={
                data.code === 200 ? '设备已应答' : `设备返回 ${data.code} ${data.message}`.trim()
              }
            />
            <ServiceOutput data={data.data} known={outputData} />
          </>
        )}
      </Flex>
    </Form>
  )
}

/** Converts form values to call parameters: structures and arrays become JSON text, and an untouched list is empty. */
const asSent = ({ inputData }: Service, typed: Typed) =>
  Object.fromEntries(
    inputData.map(({ identifier, dataType: { type } }) => {
      const value = typed[identifier]
      if (type === 'array') return [identifier, JSON.stringify(value ?? [])]
      return [identifier, type === 'struct' ? JSON.stringify(value ?? {}) : value]
    }),
  ) as Values
