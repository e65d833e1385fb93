CREATE TABLE "alarm_incident" (
	"id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"rule_id" uuid NOT NULL,
	"rule_version" integer NOT NULL,
	"rule_name" text NOT NULL,
	"severity" text NOT NULL,
	"subject_key" text NOT NULL,
	"subject_name" text NOT NULL,
	"device_id" uuid,
	"space_id" uuid,
	"title" text NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"count" integer DEFAULT 1 NOT NULL,
	"device_count" integer DEFAULT 0 NOT NULL,
	"is_flapping" boolean DEFAULT false NOT NULL,
	"first_time" timestamp with time zone NOT NULL,
	"opened_time" timestamp with time zone NOT NULL,
	"last_time" timestamp with time zone NOT NULL,
	"acknowledged_by" text DEFAULT '' NOT NULL,
	"acknowledged_time" timestamp with time zone,
	"resolved_by" text DEFAULT '' NOT NULL,
	"resolved_time" timestamp with time zone,
	"resolve_reason" text DEFAULT '' NOT NULL,
	"snoozed_until" timestamp with time zone,
	"assignee_id" uuid,
	"previous_id" uuid,
	"update_by" text DEFAULT '' NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "alarm_incident_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "alarm_rule" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"project_id" integer DEFAULT 0 NOT NULL,
	"name" text NOT NULL,
	"severity" text NOT NULL,
	"space_id" uuid,
	"group_id" uuid,
	"product_id" uuid,
	"source" jsonb NOT NULL,
	"for_minutes" integer NOT NULL,
	"recover_minutes" integer NOT NULL,
	"status" text DEFAULT 'enabled' NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"builtin" boolean DEFAULT false NOT NULL,
	CONSTRAINT "alarm_rule_name" UNIQUE("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "alarm_rule_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"rule_id" uuid NOT NULL,
	"project_id" integer NOT NULL,
	"time" timestamp with time zone NOT NULL,
	"text" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alarm_state" (
	"project_id" integer NOT NULL,
	"rule_id" uuid NOT NULL,
	"subject_key" text NOT NULL,
	"device_id" uuid,
	"is_met" boolean NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"gap_since" timestamp with time zone,
	"repeats" integer DEFAULT 0 NOT NULL,
	"detail" text DEFAULT '' NOT NULL,
	"is_muted" boolean DEFAULT false NOT NULL,
	"window_id" uuid,
	"incident_id" uuid,
	CONSTRAINT "alarm_state_project_id_rule_id_subject_key_pk" PRIMARY KEY("project_id","rule_id","subject_key")
);
--> statement-breakpoint
CREATE TABLE "incident_device" (
	"project_id" integer NOT NULL,
	"incident_id" uuid NOT NULL,
	"device_id" uuid NOT NULL,
	"name" text NOT NULL,
	"first_time" timestamp with time zone NOT NULL,
	"recovered_time" timestamp with time zone,
	"detail" text DEFAULT '' NOT NULL,
	CONSTRAINT "incident_device_project_id_incident_id_device_id_pk" PRIMARY KEY("project_id","incident_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "incident_event" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"incident_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"time" timestamp with time zone NOT NULL,
	"user_id" uuid,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "maintenance_window" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"project_id" integer NOT NULL,
	"space_id" uuid,
	"name" text NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "incident_device" ADD CONSTRAINT "incident_device_incident" FOREIGN KEY ("project_id","incident_id") REFERENCES "public"."alarm_incident"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "incident_event" ADD CONSTRAINT "incident_event_incident_key" FOREIGN KEY ("project_id","incident_id") REFERENCES "public"."alarm_incident"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "alarm_incident_id" ON "alarm_incident" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "alarm_incident_open" ON "alarm_incident" USING btree ("project_id","rule_id","subject_key") WHERE "alarm_incident"."status" <> 'resolved';--> statement-breakpoint
CREATE INDEX "alarm_incident_time" ON "alarm_incident" USING btree ("project_id","opened_time");--> statement-breakpoint
CREATE INDEX "alarm_incident_last" ON "alarm_incident" USING btree ("last_time");--> statement-breakpoint
CREATE INDEX "alarm_incident_device" ON "alarm_incident" USING btree ("project_id","device_id");--> statement-breakpoint
CREATE INDEX "alarm_rule_log_rule" ON "alarm_rule_log" USING btree ("rule_id","time");--> statement-breakpoint
CREATE INDEX "alarm_rule_log_time" ON "alarm_rule_log" USING btree ("time");--> statement-breakpoint
CREATE INDEX "alarm_state_rule" ON "alarm_state" USING btree ("rule_id");--> statement-breakpoint
CREATE INDEX "alarm_state_incident" ON "alarm_state" USING btree ("incident_id");--> statement-breakpoint
CREATE INDEX "alarm_state_pending" ON "alarm_state" USING btree ("since") WHERE "alarm_state"."incident_id" is null;--> statement-breakpoint
CREATE INDEX "incident_event_incident" ON "incident_event" USING btree ("project_id","incident_id");--> statement-breakpoint
CREATE INDEX "incident_event_time" ON "incident_event" USING btree ("time");--> statement-breakpoint
CREATE INDEX "maintenance_window_end" ON "maintenance_window" USING btree ("project_id","end_time");