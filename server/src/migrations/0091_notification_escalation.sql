CREATE TABLE "notification_escalation" (
	"subject" text NOT NULL,
	"policy_id" uuid NOT NULL,
	"occasion_id" text NOT NULL,
	"project_id" integer,
	"severity" text NOT NULL,
	"content" jsonb NOT NULL,
	"step" integer NOT NULL,
	"opened_time" timestamp with time zone NOT NULL,
	"due_time" timestamp with time zone NOT NULL,
	CONSTRAINT "notification_escalation_subject_policy_id_pk" PRIMARY KEY("subject","policy_id")
);
--> statement-breakpoint
CREATE INDEX "notification_escalation_due" ON "notification_escalation" USING btree ("due_time");
