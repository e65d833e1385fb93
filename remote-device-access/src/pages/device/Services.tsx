import useRequest from 'ahooks/es/useRequest'
import Alert from 'antd/es/alert'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { CallError } from '@iot/shared/client/call'
import type { Values } from '@iot/shared/contract/device/device.schema'
import { responseCodes, type FieldErrors } from '@iot/shared/contract/endpoint'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { deviceStateText } from '@iot/shared/contract/device/managedDevice'
import type { DeviceLive } from '@iot/shared/contract/device/deviceLive.schema'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { isOffered } from '@iot/shared/contract/thingModel/deprecation'
import type { Service } from '@iot/shared/contract/thingModel/thingModel.schema'
import { callText, describeType } from '@iot/shared/contract/thingModel/thingText'
import { isComposite } from '@iot/shared/contract/thingModel/thingValue'
import { useCommand } from '@iot/shared/control/useCommand'
import { inFlightText } from '@iot/shared/session/outgoing'
import { FormGroup, fullRowStyle } from '@iot/shared/ui/formDialog'
import { Can } from '@iot/shared/ui/right'
import { Select } from '@iot/shared/ui/select'
import { ValueField } from '../thingModel/ValueField'
import { createValueRules, CompositeFields } from '../thingModel/CompositeFields'
import { ServiceOutput } from './ServiceOutput'

type ServicesProps = { id: string; live: DeviceLive }

/** Calls a service of the thing model and shows the device's answer. */
export default function Services({ id, live: { model, state } }: ServicesProps) {
  const services = model.services.filter((candidate) => isOffered(candidate))
  const [selectedIdentifier, setSelectedIdentifier] = useState(services[0]?.identifier)
  const service = services.find(({ identifier }) => identifier === selectedIdentifier)
  if (!service)
    return (
      <Empty
        image={Empty.PRESENTED_IMAGE_SIMPLE}
        description={
          model.services.length > 0
            ? '产品的服务都已弃用，可在产品的“功能定义”里恢复'
            : '产品没有定义服务，可在产品的“功能定义”里添加'
        }
      />
    )
  return (
    <Flex vertical gap={16} style={{ maxWidth: 560 }}>
      <Select
        aria-label="服务"
        value={selectedIdentifier}
        onChange={setSelectedIdentifier}
        options={services.map(({ identifier, name }) => ({
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

type FormValues = Record<string, unknown>
type ServiceFormProps = { id: string; service: Service; unless: string | false }

function ServiceForm({ id, service, unless }: ServiceFormProps) {
  const { identifier, inputData, outputData } = service
  const [form] = Form.useForm<FormValues>()
  const { state: commandState, send } = useCommand()
  const {
    data,
    error,
    loading,
    run: callService,
  } = useRequest(
    (formValues: FormValues) =>
      send(
        managedDeviceApi.service,
        { id, identifier, params: toCallParams(service, formValues) },
        { inline: true },
      ),
    {
      manual: true,
      onError(error) {
        if (!(error instanceof CallError) || error.code !== responseCodes.fields) return
        // Errors are mapped to the form's own field names, in which the index of a list is a number.
        const fieldNamesByPath = new Map(
          form.getFieldsError().map(({ name }) => [name.join('.'), name]),
        )
        const { fields } = error.data as FieldErrors
        form.setFields(
          Object.entries(fields).flatMap(([path, reason]) => {
            const fieldName = fieldNamesByPath.get(path.replace(/^params\./, ''))
            return fieldName ? [{ name: fieldName, errors: [reason] }] : []
          }),
        )
      },
    },
  )
  return (
    <Form<FormValues> form={form} layout="vertical" onFinish={callService}>
      <Typography.Paragraph type="secondary">
        {[`${callText[service.callType]}调用`, service.desc].filter(Boolean).join('，')}
        {inputData.length === 0 && '，没有输入参数'}
      </Typography.Paragraph>
      {inputData.map(({ identifier, name, dataType }) =>
        isComposite(dataType) ? (
          <FormGroup key={identifier} title={`${name} ${identifier}`}>
            <div style={fullRowStyle}>
              <CompositeFields name={name} dataType={dataType} path={[identifier]} />
            </div>
          </FormGroup>
        ) : (
          <Form.Item
            key={identifier}
            name={identifier}
            label={`${name} ${identifier}`}
            extra={describeType(dataType)}
            rules={createValueRules(name, dataType)}
          >
            <ValueField dataType={dataType} />
          </Form.Item>
        ),
      )}
      <Flex vertical gap={16} align="start">
        <Can to={devicePermissions.control} unless={unless}>
          <Button type="primary" htmlType="submit" loading={loading}>
            {commandState === 'sending' ? inFlightText.sending : '调用'}
          </Button>
        </Can>
        {commandState === 'unknown' && (
          <Alert type="warning" showIcon title={inFlightText.unknown} />
        )}
        {error && !loading && (
          <Alert
            type="error"
            showIcon
            title={error.message}
            description={
              service.callType === 'sync' &&
              error instanceof CallError &&
              error.code === responseCodes.unanswered &&
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
            <ServiceOutput data={data.data} outputParams={outputData} />
          </>
        )}
      </Flex>
    </Form>
  )
}

/** Converts form values to call parameters: structures and arrays become JSON text, and an untouched list is empty. */
const toCallParams = ({ inputData }: Service, formValues: FormValues) =>
  Object.fromEntries(
    inputData.map(({ identifier, dataType: { type } }) => {
      const value = formValues[identifier]
      if (type === 'array') return [identifier, JSON.stringify(value ?? [])]
      return [identifier, type === 'struct' ? JSON.stringify(value ?? {}) : value]
    }),
  ) as Values
