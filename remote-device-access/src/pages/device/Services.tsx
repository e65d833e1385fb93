import { useRequest } from 'ahooks'
import { Alert, Button, Descriptions, Empty, Flex, Form, Select, Typography } from 'antd'
import { useState } from 'react'
import { call, CallError } from '@iot/shared/client/call'
import type { Values } from '@iot/shared/contract/device'
import { codes, type FieldErrors } from '@iot/shared/contract/endpoint'
import { rights } from '@iot/shared/contract/homeRights'
import {
  deviceStateText,
  managedDeviceApi,
  type DeviceLive,
} from '@iot/shared/contract/managedDevice'
import type { Service } from '@iot/shared/contract/thingModel'
import { callText, typeWords, valueWords } from '@iot/shared/contract/thingText'
import { isWhole, parsed, refuseValue } from '@iot/shared/contract/thingValue'
import { Right } from '@iot/shared/ui/right'
import { ValueField } from '../thingModel/ValueField'

type ServicesProps = { id: string; live: DeviceLive }

/** Calls a service of the model and shows what the device answers. */
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

type ServiceFormProps = { id: string; service: Service; unless: string | false }

function ServiceForm({ id, service, unless }: ServiceFormProps) {
  const [form] = Form.useForm<Values>()
  const { data, error, loading, run } = useRequest(
    (params: Values) =>
      call(
        managedDeviceApi.service,
        { id, identifier: service.identifier, params },
        { inline: true },
      ),
    {
      manual: true,
      onError(error) {
        if (!(error instanceof CallError) || error.code !== codes.fields) return
        const { fields } = error.data as FieldErrors
        form.setFields(
          Object.entries(fields).map(([name, why]) => ({
            name: name.replace(/^params\./, ''),
            errors: [why],
          })),
        )
      },
    },
  )
  return (
    <Form form={form} layout="vertical" onFinish={run}>
      <Typography.Paragraph type="secondary">
        {[`${callText[service.callType]}调用`, service.desc].filter(Boolean).join('，')}
        {service.inputData.length === 0 && '，没有输入参数'}
      </Typography.Paragraph>
      {service.inputData.map(({ identifier, name, dataType }) => (
        <Form.Item
          key={identifier}
          name={identifier}
          label={`${name} ${identifier}`}
          extra={typeWords(dataType)}
          rules={[
            { required: true, message: `请填写${name}` },
            {
              validator: async (_, value: unknown) => {
                if (value === undefined || value === '' || value === null) return
                const why = refuseValue(dataType, isWhole(dataType) ? parsed(value) : value)
                if (why) throw new Error(`${name}${why}`)
              },
            },
          ]}
        >
          <ValueField dataType={dataType} />
        </Form.Item>
      ))}
      <Flex vertical gap={16} align="start">
        <Right to={rights.control} unless={unless}>
          <Button type="primary" htmlType="submit" loading={loading}>
            调用
          </Button>
        </Right>
        {error && !loading && <Alert type="error" showIcon title={error.message} />}
        {data && !error && !loading && (
          <>
            <Alert
              type={data.code === 200 ? 'success' : 'error'}
              showIcon
              title={
                data.code === 200 ? '设备已应答' : `设备返回 ${data.code} ${data.message}`.trim()
              }
            />
            {Object.keys(data.data).length > 0 && (
              <Descriptions
                column={1}
                bordered
                size="small"
                items={Object.entries(data.data).map(([identifier, value]) => {
                  const of = service.outputData.find((one) => one.identifier === identifier)
                  return {
                    key: identifier,
                    label: of?.name ?? identifier,
                    children: valueWords(of?.dataType, value),
                  }
                })}
              />
            )}
          </>
        )}
      </Flex>
    </Form>
  )
}
