-- Events of devices that the hand-over kept for itself become resolved incidents. What still lasts has an incident of its
-- rule, or gets one; where that covers an event without notes, the event says nothing more.
INSERT INTO "alarm_incident" ("id", "project_id", "rule_id", "rule_version", "rule_name", "severity", "subject_key", "subject_name", "device_id", "space_id", "title", "status", "count", "device_count", "first_time", "opened_time", "last_time", "acknowledged_by", "acknowledged_time", "resolved_time", "resolve_reason", "update_by")
SELECT i."id", i."project_id", k."rule_id"::uuid, 1, k."rule_name", k."severity", 'device:' || i."device_id", d."name", i."device_id", d."space_id",
	d."name" || ' ' || k."word", 'resolved', i."count", 1, i."first_time", i."first_time", i."last_time", i."acknowledged_by", i."acknowledged_time",
	coalesce(i."end_time", i."last_time"), '升级前的记录', '系统'
FROM "incident" i
JOIN "device" d ON d."project_id" = i."project_id" AND d."id" = i."device_id"
JOIN "product" p ON p."id" = d."product_id"
JOIN (VALUES
	('offline', true, 'offline', '0199a000-0000-7000-8000-000000000001', '网关离线', 'major', '离线'),
	('offline', false, 'offline', '0199a000-0000-7000-8000-000000000002', '设备离线', 'minor', '离线'),
	('fault', NULL, 'event', '0199a000-0000-7000-8000-000000000003', '设备故障事件', 'major', '故障'),
	('alarm', NULL, 'event', '0199a000-0000-7000-8000-000000000004', '设备告警事件', 'minor', '告警'),
	('failed', NULL, 'check', '0199a000-0000-7000-8000-000000000005', '控制任务失败', 'minor', '命令失败')
) AS k ("kind", "is_gateway", "source_kind", "rule_id", "rule_name", "severity", "word")
	ON k."kind" = i."kind" AND (k."is_gateway" IS NULL OR k."is_gateway" = (p."node" = 'gateway'))
WHERE i."notes" <> '[]'::jsonb OR NOT EXISTS (
	SELECT 1 FROM "incident_device" m
	JOIN "alarm_incident" a ON a."project_id" = m."project_id" AND a."id" = m."incident_id"
	JOIN "alarm_rule" r ON r."id" = a."rule_id" AND r."source" ->> 'kind' = k."source_kind"
	WHERE m."project_id" = i."project_id" AND m."device_id" = i."device_id"
		AND m."first_time" <= coalesce(i."end_time", i."last_time") + interval '1 hour'
		AND coalesce(m."recovered_time", a."resolved_time", now()) >= i."first_time")
ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO "incident_device" ("project_id", "incident_id", "device_id", "name", "first_time", "recovered_time", "detail")
SELECT a."project_id", a."id", i."device_id", a."subject_name", i."first_time", a."resolved_time", i."text"
FROM "incident" i JOIN "alarm_incident" a ON a."project_id" = i."project_id" AND a."id" = i."id"
ON CONFLICT DO NOTHING;--> statement-breakpoint
INSERT INTO "incident_event" ("id", "project_id", "incident_id", "kind", "time", "user_id", "detail")
SELECT gen_random_uuid(), i."project_id", i."id", e."kind", e."time", u."id", e."detail"
FROM "incident" i
JOIN "alarm_incident" a ON a."project_id" = i."project_id" AND a."id" = i."id"
CROSS JOIN LATERAL (
	SELECT 'opened' AS "kind", i."first_time" AS "time", '' AS "by", jsonb_build_object('text', i."text") AS "detail"
	UNION ALL SELECT 'acknowledged', i."acknowledged_time", i."acknowledged_by", '{}'::jsonb WHERE i."acknowledged_time" IS NOT NULL
	UNION ALL SELECT 'noted', (note ->> 'time')::timestamptz, note ->> 'by', jsonb_build_object('note', note ->> 'text')
		FROM jsonb_array_elements(i."notes") AS note
	UNION ALL SELECT 'resolved', a."resolved_time", '', jsonb_build_object('reason', a."resolve_reason")
) AS e
LEFT JOIN "user_account" u ON u."username_key" = lower(e."by") AND e."by" <> '';--> statement-breakpoint
DROP TABLE "incident";
