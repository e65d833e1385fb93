CREATE TABLE "notification_channel" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"status" text NOT NULL,
	"per_minute" integer NOT NULL,
	"template" text NOT NULL,
	"smtp_host" text NOT NULL,
	"smtp_port" integer NOT NULL,
	"smtp_security" text NOT NULL,
	"smtp_user" text NOT NULL,
	"smtp_ca" text NOT NULL,
	"sender" text NOT NULL,
	"sender_name" text NOT NULL,
	"recipients" text[] NOT NULL,
	"secrets" text NOT NULL,
	"url_hint" text NOT NULL,
	"has_secret" boolean NOT NULL,
	"has_password" boolean NOT NULL,
	"target_key" text NOT NULL,
	"broken_reason" text DEFAULT '' NOT NULL,
	"last_success_time" timestamp with time zone,
	"last_failure_time" timestamp with time zone,
	"last_error" text DEFAULT '' NOT NULL,
	CONSTRAINT "notification_channel_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE INDEX "notification_channel_target" ON "notification_channel" USING btree ("target_key");
--> statement-breakpoint
CREATE TABLE "notification_target" (
	"key" text PRIMARY KEY NOT NULL,
	"claim_token" uuid,
	"claim_until" timestamp with time zone,
	"pause_until" timestamp with time zone
);
