CREATE TABLE "login_log" (
	"id" uuid PRIMARY KEY NOT NULL,
	"time" timestamp with time zone NOT NULL,
	"username" text NOT NULL,
	"user_id" uuid,
	"session_id" uuid,
	"ok" boolean NOT NULL,
	"reason" text NOT NULL,
	"address" text NOT NULL,
	"browser" text NOT NULL,
	"system" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "login_log_time" ON "login_log" USING btree ("time","id");--> statement-breakpoint
CREATE INDEX "login_log_user" ON "login_log" USING btree ("user_id","time");